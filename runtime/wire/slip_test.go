package wire

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

var (
	left14 = time.Date(2026, 9, 9, 14, 3, 11, 0, time.UTC)
	stopAt = func(name string) Stop { return Stop{Exchange: "orders-events", Key: "order." + name, Name: name} }
	doneAt = func(name string, at time.Time) Stop { s := stopAt(name); s.CompletedAt = at; return s }
)

// TestReadSlip holds which form of a slip is followed, and how, on headers as they were received.
func TestReadSlip(t *testing.T) {
	const itinerary = `{"steps":[{"exchange":"","routingKey":"q"}]}`
	toQ := Itinerary{Steps: []Stop{{Key: "q"}}}.Slip()
	declared := Route{Steps: "a,b", Position: 1, ID: "run-1"}
	tests := []struct {
		name    string
		headers Table
		want    Slip
		found   bool
	}{
		{"none", Table{"x-tenant": "acme"}, Slip{}, false},
		{"declared", declaredHeaders("a,b", int32(1), "run-1"), declared.Slip(), true},
		{"itinerary", Table{HeaderItinerary: itinerary}, toQ, true},
		{"itinerary as bytes", Table{HeaderItinerary: []byte(itinerary)}, toQ, true},
		{"both: the itinerary wins", Table{HeaderItinerary: itinerary, HeaderRoute: "a,b"}, toQ, true},
		{"no usable name", declaredHeaders(" , ,", int32(0), "run-1"), Slip{}, false},
		{"no route but the rest", Table{HeaderRoutePosition: int32(1), HeaderRouteID: "run-1"}, Slip{}, false},
		{"route that is no text", declaredHeaders(int32(7), int32(0), "run-1"), Slip{}, false},
		{"finished itinerary", Table{HeaderItinerary: `{"steps":[]}`}, Itinerary{}.Slip(), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, found, err := ReadSlip(test.headers)
			if err != nil {
				t.Fatal(err)
			}
			if found != test.found || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v, %v\nwant %+v, %v", got, found, test.want, test.found)
			}
			e := ReadEnvelope(test.headers, arrival())
			seen, found, err := FindSlip(Application(test.headers), e.Route)
			if err != nil || found != test.found || !reflect.DeepEqual(seen, got) {
				t.Errorf("a handler sees %+v, %v, %v", seen, found, err)
			}
		})
	}
}

func declaredHeaders(route, position, id any) Table {
	return Table{HeaderRoute: route, HeaderRoutePosition: position, HeaderRouteID: id}
}

// TestUnreadableItinerary holds that an itinerary which cannot be read is an error even beside a declared route: the
// one that says where the message goes is not known.
func TestUnreadableItinerary(t *testing.T) {
	_, found, err := ReadSlip(Table{HeaderItinerary: "{", HeaderRoute: "a,b"})
	if found || err == nil || !strings.Contains(err.Error(), `the header "acemq-routing-slip" is no itinerary`) {
		t.Errorf("got %v, %v", found, err)
	}
}

// TestStamp holds that a message carries one slip in one form, whatever it carried before.
func TestStamp(t *testing.T) {
	old := Table{HeaderItinerary: "old", "x-tenant": "acme"}
	declared := Route{Steps: "a,b", Position: 1, ID: "run-1"}
	tests := []struct {
		name  string
		slip  Slip
		route Route
		own   Table
	}{
		{"declared", declared.Slip(), declared, Table{"x-tenant": "acme"}},
		{"itinerary", Itinerary{}.Then("e", "k", "").Slip(), Route{},
			Table{"x-tenant": "acme", HeaderItinerary: `{"steps":[{"exchange":"e","routingKey":"k"}]}`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := Envelope{ID: "i", Route: Route{Steps: "old"}}
			own := Application(old)
			if err := test.slip.Stamp(&e, own); err != nil {
				t.Fatal(err)
			}
			if e.Route != test.route || e.ID != "i" || !reflect.DeepEqual(own, test.own) {
				t.Errorf("got %+v and %v", e, own)
			}
			again, found, err := ReadSlip(e.Headers(own))
			if err != nil || !found || !reflect.DeepEqual(again, test.slip) {
				t.Errorf("read back as %+v, %v, %v", again, found, err)
			}
		})
	}
}

// TestSlipWalk follows a slip in either form to its end.
func TestSlipWalk(t *testing.T) {
	route, err := NewRoute("run-1", "validate", "price")
	if err != nil {
		t.Fatal(err)
	}
	itinerary := Itinerary{}.Then("orders-events", "order.validate", "validate").Then("orders-events", "order.price", "price")
	for _, slip := range []Slip{route.Slip(), itinerary.Slip()} {
		t.Run(slip.Form.String(), func(t *testing.T) {
			var seen []string
			for s := slip; ; s = s.Advance(left14) {
				stop, left := s.Current()
				if left == s.IsFinished() {
					t.Fatalf("left is %v and finished is %v", left, s.IsFinished())
				}
				if !left {
					if further := s.Advance(left14); !reflect.DeepEqual(further, s) {
						t.Errorf("a finished slip advances to %+v", further)
					}
					break
				}
				seen = append(seen, stop.Name)
			}
			if fmt.Sprint(seen) != "[validate price]" {
				t.Errorf("went over %v", seen)
			}
			if stop, _ := slip.Current(); stop.Name != "validate" {
				t.Errorf("advancing changed the original: it is at %q", stop.Name)
			}
		})
	}
}

func TestCheckStart(t *testing.T) {
	far := func(n int) []string {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("step-%d", i)
		}
		return names
	}
	declared := func(names []string) Slip {
		r, err := NewRoute("run-1", names...)
		if err != nil {
			t.Fatal(err)
		}
		return r.Slip()
	}
	itinerary := func(names []string) Slip {
		var i Itinerary
		for _, name := range names {
			i.Steps = append(i.Steps, stopAt(name))
		}
		return i.Slip()
	}
	tests := []struct {
		name string
		slip Slip
		want string // in the error; empty for none
	}{
		{"declared", declared(far(3)), ""},
		{"itinerary", itinerary(far(3)), ""},
		{"declared without stops", Slip{}, "the declared route has no stop to go to: name one at least"},
		{"itinerary without stops", Itinerary{}.Slip(), "the itinerary has no stop to go to"},
		{"itinerary that is done", Itinerary{Done: []Stop{stopAt("a")}}.Slip(), "the itinerary has no stop to go to"},
		{"declared of 10,000 stops", declared(far(10_000)), "the declared route of 10000 stops grows to 98889 bytes"},
		{"itinerary of 10,000 stops", itinerary(far(10_000)), "the itinerary of 10000 stops grows to"},
		{"not UTF-8", Itinerary{}.Then("e", "\xff", "").Slip(), "is not valid UTF-8"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.slip.CheckStart()
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q in it", err, test.want)
			}
		})
	}
}

// TestSlipArrives holds that the longest itinerary which may set out is within the headers when its route is over.
func TestSlipArrives(t *testing.T) {
	var longest Itinerary
	for next := longest; next.Slip().CheckStart() == nil || len(next.Steps) == 0; next = next.Then("e", "key", "name") {
		longest = next
	}
	slip := longest.Slip()
	for !slip.IsFinished() {
		slip = slip.Advance(left14)
	}
	text, err := slip.Itinerary.Encode()
	if err != nil || len(text) > MaxSlip || len(longest.Steps) < 100 {
		t.Errorf("%d stops have %d bytes at the end, %v", len(longest.Steps), len(text), err)
	}
}

func TestCheckStepName(t *testing.T) {
	for _, name := range []string{"a", "validate", "Validate-2", "order.price", "0", "a.", "a-"} {
		if err := CheckStepName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", " ", "a b", " a", "a,b", "a_b", ".a", "-a", "ä", "a\n", "a/b", "\xff",
		strings.Repeat("a", 256)} {
		if CheckStepName(name) == nil {
			t.Errorf("%q is taken", name)
		}
	}
}
