package wire

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestDeclaredRoutes reads declared routes as each library of the family writes them, and whatever else may stand in
// their place (contract: routing slips, reading rules).
func TestDeclaredRoutes(t *testing.T) {
	tests := []struct {
		name     string
		headers  Table
		names    string
		position int
		current  string // empty: finished
	}{
		{"Java", declaredHeaders("validate,enrich,dispatch", int32(1), "0f8fad5b-d9cb-469f-a165-70867728950e"),
			"validate enrich dispatch", 1, "enrich"},
		{"Go without a run", Table{HeaderRoute: "validate,enrich", HeaderRoutePosition: int32(0)}, "validate enrich", 0, "validate"},
		{".NET without a run", declaredHeaders("validate,enrich", int32(1), ""), "validate enrich", 1, "enrich"},
		{"Python", declaredHeaders("validate,enrich", int64(1), "0f8fad5b-d9cb-469f-a165-70867728950e"), "validate enrich", 1, "enrich"},
		{"Ruby", declaredHeaders("validate,enrich", int8(1), "0f8fad5b-d9cb-469f-a165-70867728950e"), "validate enrich", 1, "enrich"},
		{"bytes", declaredHeaders([]byte("validate,enrich"), []byte("1"), []byte("run")), "validate enrich", 1, "enrich"},
		{"white space", declaredHeaders(" validate ,\tenrich\n", int32(1), ""), "validate enrich", 1, "enrich"},
		{"empty pieces", declaredHeaders(",validate,, ,enrich,", int32(1), ""), "validate enrich", 1, "enrich"},
		{"names that nobody may write", declaredHeaders("a b,c_d", int32(1), ""), "a b|c_d", 1, "c_d"},
		{"position missing", Table{HeaderRoute: "a,b"}, "a b", 0, "a"},
		{"position unreadable", declaredHeaders("a,b", "one", ""), "a b", 0, "a"},
		{"position as text", declaredHeaders("a,b", "1", ""), "a b", 1, "b"},
		{"position as a double", declaredHeaders("a,b", 1.0, ""), "a b", 1, "b"},
		{"position negative", declaredHeaders("a,b", int32(-1), ""), "a b", 0, "a"},
		{"position at the end", declaredHeaders("a,b", int32(2), ""), "a b", 2, ""},
		{"position beyond the end", declaredHeaders("a,b", int32(99), ""), "a b", 99, ""},
		{"position beyond 32 bits", declaredHeaders("a,b", int64(math.MaxInt64), ""), "a b", math.MaxInt32, ""},
		{"position far below", declaredHeaders("a,b", int64(math.MinInt64), ""), "a b", 0, "a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			slip, found, err := ReadSlip(test.headers)
			if err != nil || !found {
				t.Fatalf("got %v, %v", found, err)
			}
			separator := " "
			if strings.Contains(test.names, "|") {
				separator = "|"
			}
			r := slip.Route
			if got := strings.Join(r.Names(), separator); got != test.names || r.Position != test.position {
				t.Errorf("got the names %q at %d, want %q at %d", got, r.Position, test.names, test.position)
			}
			if current, left := r.Current(); current != test.current || left == r.IsFinished() || left != (test.current != "") {
				t.Errorf("it is at %q, %v, want %q", current, left, test.current)
			}
		})
	}
}

func TestNewRoute(t *testing.T) {
	r, err := NewRoute("run-1", "validate", "price")
	if want := (Route{Steps: "validate,price", ID: "run-1"}); err != nil || r != want {
		t.Errorf("got %+v, %v", r, err)
	}
	want := Table{HeaderRoute: "validate,price", HeaderRoutePosition: int32(1), HeaderRouteID: "run-1"}
	headers := Envelope{Route: r.Advance()}.Headers(nil)
	for name, value := range want {
		if headers[name] != value {
			t.Errorf("%s is written as %#v, want %#v", name, headers[name], value)
		}
	}
	for _, name := range []string{"", " ", "a,b", "a b"} {
		if _, err := NewRoute("run-1", "validate", name); err == nil {
			t.Errorf("the name %q is written", name)
		}
	}
}

func TestAdvanceTo(t *testing.T) {
	r := Route{Steps: "a,b,c", Position: 1}
	for n, current := range []string{"a", "b", "c", ""} {
		moved, err := r.AdvanceTo(n)
		if at, _ := moved.Current(); err != nil || at != current {
			t.Errorf("step %d: got %q, %v", n, at, err)
		}
	}
	for _, n := range []int{-1, 4} {
		if moved, err := r.AdvanceTo(n); err == nil || moved != r {
			t.Errorf("step %d: got %+v, %v", n, moved, err)
		}
	}
}

// TestAtStep holds that where a message is beats where its route says it is, and that a route which comes by twice is
// not shortened.
func TestAtStep(t *testing.T) {
	tests := []struct {
		route string
		at    int
		step  string
		want  int // -1: the route does not name it
	}{
		{"a,b,c", 1, "b", 1},
		{"a,b,c", 0, "b", 1},
		{"a,b,c", 2, "b", 1},
		{"a,b,c", 3, "c", 2},
		{"a,b,c", 99, "a", 0},
		{"a,b,c", -5, "a", 0},
		{"a,b,a,c", 2, "a", 2},
		{"a,b,a,c", 1, "a", 2},
		{"a,b,a,c", 3, "a", 2},
		{"a,b,c", 1, "x", -1},
		{"", 0, "a", -1},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s at %d to %s", test.route, test.at, test.step), func(t *testing.T) {
			r := Route{Steps: test.route, Position: test.at, ID: "run"}
			got, named := r.AtStep(test.step)
			if named != (test.want >= 0) || named && got.Position != test.want || !named && got != r {
				t.Errorf("got %+v, %v", got, named)
			}
		})
	}
}

// FuzzRoute holds that a route from anywhere has an end, and that what is written is read back.
func FuzzRoute(f *testing.F) {
	f.Add("validate,price", int64(1), "run")
	f.Add(" a ,,b, ", int64(-1), "")
	f.Add(",", int64(math.MaxInt64), "\xff")
	f.Fuzz(func(t *testing.T, steps string, at int64, id string) {
		slip, found, err := ReadSlip(declaredHeaders(steps, at, id))
		if err != nil || !found {
			if names := (Route{Steps: steps}).Names(); err != nil || len(names) > 0 {
				t.Fatalf("%q: %v, and its names are %q", steps, err, names)
			}
			return
		}
		again, _, err := ReadSlip(Envelope{Route: slip.Route}.Headers(nil))
		if err != nil || !reflect.DeepEqual(again, slip) {
			t.Fatalf("wrote %+v and read %+v, %v", slip, again, err)
		}
		names := slip.Route.Names()
		hops := 0
		for r := slip.Route; !r.IsFinished(); r = r.Advance() {
			hops++
			current, _ := r.Current()
			if found, named := r.AtStep(current); !named || found != r {
				t.Fatalf("%+v is at %q, and realigned to %+v", r, current, found)
			}
		}
		if hops > len(names) {
			t.Fatalf("%d hops over %d steps", hops, len(names))
		}
	})
}
