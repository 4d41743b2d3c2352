package wire

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestItineraries reads an itinerary as each library of the family writes it, whole (contract: routing slips,
// itinerary), and holds what is written in its place.
func TestItineraries(t *testing.T) {
	charge, ship := stopAt("charge"), stopAt("ship")
	special := Stop{Exchange: "a<b>&'+", Key: "grün", Name: "prüfen"}
	underway := Itinerary{Steps: []Stop{charge, ship}, Done: []Stop{doneAt("validate", left14)}}
	const (
		plain = `{"steps":[{"exchange":"orders-events","routingKey":"order.charge","name":"charge"},` +
			`{"exchange":"orders-events","routingKey":"order.ship","name":"ship"}],` +
			`"done":[{"exchange":"orders-events","routingKey":"order.validate","name":"validate",` +
			`"completedAt":"2026-09-09T14:03:11Z"}]}`
		fresh = `{"steps":[{"exchange":"a<b>&'+","routingKey":"grün","name":"prüfen"}]}`
	)
	tests := []struct {
		name, text string
		want       Itinerary
		written    string // empty: as it was read
	}{
		{"all but Python", plain, underway, ""},
		{"Python", `{"steps": [{"exchange": "orders-events", "routingKey": "order.charge", "name": "charge"}, ` +
			`{"exchange": "orders-events", "routingKey": "order.ship", "name": "ship"}], ` +
			`"done": [{"exchange": "orders-events", "routingKey": "order.validate", "name": "validate", ` +
			`"completedAt": "2026-09-09T14:03:11.250731+00:00"}]}`,
			Itinerary{underway.Steps, []Stop{doneAt("validate", left14.Add(250731*time.Microsecond))}}, plain},
		{"Java and Ruby, special", fresh, Itinerary{Steps: []Stop{special}}, ""},
		{"Go, special", `{"steps":[{"exchange":"a\u003cb\u003e\u0026'+","routingKey":"grün","name":"prüfen"}]}`,
			Itinerary{Steps: []Stop{special}}, fresh},
		{".NET, special", `{"steps":[{"exchange":"a\u003Cb\u003E\u0026\u0027\u002B","routingKey":"gr\u00FCn","name":"pr\u00FCfen"}]}`,
			Itinerary{Steps: []Stop{special}}, fresh},
		{"Python, special and fresh", `{"steps": [{"exchange": "a<b>&'+", "routingKey": "gr\u00fcn", "name": "pr\u00fcfen"}], "done": []}`,
			Itinerary{Steps: []Stop{special}}, fresh},
		{".NET's pipeline", `{"steps":[{"exchange":"","routingKey":"orders.price","name":"price"}]}`,
			Itinerary{Steps: []Stop{{Key: "orders.price", Name: "price"}}}, ""},
		{"Go, empty", `{"steps":null}`, Itinerary{}, `{"steps":[]}`},
		{"without a name", `{"steps":[{"exchange":"e","routingKey":"k"}]}`, Itinerary{Steps: []Stop{{Exchange: "e", Key: "k"}}}, ""},
		{"Java's fractions", `{"steps":[],"done":[{"exchange":"e","routingKey":"k","completedAt":"2026-09-09T16:03:11.5+02:00"}]}`,
			Itinerary{Done: []Stop{{Exchange: "e", Key: "k", CompletedAt: left14.Add(time.Second / 2)}}},
			`{"steps":[],"done":[{"exchange":"e","routingKey":"k","completedAt":"2026-09-09T14:03:11Z"}]}`},
		{"an emoji by surrogates", `{"steps":[{"exchange":"e","routingKey":"\ud83d\ude80"}]}`,
			Itinerary{Steps: []Stop{{Exchange: "e", Key: "🚀"}}}, `{"steps":[{"exchange":"e","routingKey":"🚀"}]}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, value := range []any{test.text, []byte(test.text)} {
				got, err := ReadItinerary(value)
				if err != nil || !reflect.DeepEqual(got, test.want) {
					t.Errorf("got  %+v, %v\nwant %+v", got, err, test.want)
				}
			}
			if test.written == "" {
				test.written = test.text
			}
			if written, err := test.want.Encode(); err != nil || written != test.written {
				t.Errorf("wrote %s, %v\nwant  %s", written, err, test.written)
			}
		})
	}
}

// TestTolerantItineraries holds what a reader takes although nobody of the family writes it.
func TestTolerantItineraries(t *testing.T) {
	one := func(s Stop) Itinerary { return Itinerary{Steps: []Stop{s}} }
	for text, want := range map[string]Itinerary{
		`{}`:                         {},
		` {"steps":[]} `:             {},
		`{"steps":null,"done":null}`: {},
		`{"steps":[{}]}`:             one(Stop{}),
		`{"steps":[{"exchange":null,"routingKey":"k","name":null,"completedAt":null}]}`: one(Stop{Key: "k"}),
		`{"steps":[{"routingKey":"k","retries":3}],"version":2}`:                        one(Stop{Key: "k"}),
		`{"Steps":[{"routingKey":"k"}]}`:                                                {}, // names are exact
		`{"steps":[{"RoutingKey":"x","routingKey":"k","routingkey":"y"}]}`:              one(Stop{Key: "k"}),
		`{"steps":[{"routingKey":"k","completedAt":"yesterday"}]}`:                      one(Stop{Key: "k"}),
		`{"steps":[{"routingKey":"k","completedAt":1757426591}]}`:                       one(Stop{Key: "k"}),
		`{"steps":[{"routingKey":"k","completedAt":"0000-01-01T00:00:00+23:59"}]}`:      one(Stop{Key: "k"}),
	} {
		if got, err := ReadItinerary(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %+v, %v\nwant %+v", text, got, err, want)
		}
	}
}

// TestNoItineraries holds what sends a message to the dead-letter queue.
func TestNoItineraries(t *testing.T) {
	for _, value := range []any{
		"", " ", "{", "steps", `{"steps":[]}}`, `{"steps":[]} {}`, "null", "[]", `"steps"`, "7", "true",
		`{"steps":{}}`, `{"steps":"a"}`, `{"steps":[null]}`, `{"steps":["a"]}`, `{"steps":[[]]}`,
		`{"steps":[{"exchange":7}]}`, `{"steps":[{"routingKey":["k"]}]}`, `{"steps":[],"done":{}}`, `{"steps":[],"done":[1]}`,
		nil, int32(7), true, Table{"steps": []any{}}, []any{},
	} {
		got, err := ReadItinerary(value)
		if err == nil || !strings.Contains(err.Error(), HeaderItinerary) || !reflect.DeepEqual(got, Itinerary{}) {
			t.Errorf("%#v reads as %+v, %v", value, got, err)
		}
	}
}

func TestItineraryAdvance(t *testing.T) {
	start := Itinerary{}.Then("orders-events", "order.validate", "validate").Then("orders-events", "order.charge", "charge")
	local := left14.Add(700 * time.Millisecond).In(time.FixedZone("", 7200))
	got := start.Advance(local)
	want := Itinerary{Steps: []Stop{stopAt("charge")}, Done: []Stop{doneAt("validate", left14)}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	further, other := got.Advance(left14.Add(time.Minute)), got.Advance(left14.Add(time.Hour))
	if further.Done[1] != doneAt("charge", left14.Add(time.Minute)) || other.Done[1] != doneAt("charge", left14.Add(time.Hour)) {
		t.Errorf("two ways on share their lists: %+v, %+v", further, other)
	}
	a, b := start.Then("e", "a", "a"), start.Then("e", "b", "b")
	if a.Steps[2].Name != "a" || b.Steps[2].Name != "b" || len(start.Steps) != 2 {
		t.Errorf("two ways share their lists: %+v, %+v", a, b)
	}
}

// FuzzItinerary holds that what is read can be written, that it is then read back, and that every route has an end.
func FuzzItinerary(f *testing.F) {
	f.Add(`{"steps":[{"exchange":"e","routingKey":"k","name":"n"}],"done":[{"exchange":"","routingKey":"q","completedAt":"2026-09-09T14:03:11Z"}]}`)
	f.Add(`{"steps": [{"exchange": "\u00fc", "routingKey": "k"}], "done": []}`)
	f.Add(`{"steps":null}`)
	f.Add("{\"steps\":[{\"routingKey\":\"\xff\"}]}")
	f.Add(`{"done":[{"completedAt":"9999-12-31T23:59:59-23:59"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		read, err := ReadItinerary(text)
		if err != nil {
			return
		}
		written, err := read.Encode()
		if err != nil {
			t.Fatalf("%q reads as %+v, which cannot be written: %v", text, read, err)
		}
		if !json.Valid([]byte(written)) {
			t.Fatalf("wrote %q", written)
		}
		again, err := ReadItinerary(written)
		if twice, err2 := again.Encode(); err != nil || err2 != nil || twice != written {
			t.Fatalf("wrote %q and read %+v, %v, %v", written, again, err, err2)
		}
		for left := len(read.Steps); left > 0; left-- {
			read = read.Advance(left14)
		}
		if !read.IsFinished() {
			t.Fatalf("%q has no end", text)
		}
	})
}
