package marker

import (
	"errors"
	"reflect"
	"testing"
)

func TestParse(t *testing.T) {
	tests := map[string]struct {
		comment string
		want    Marker
	}{
		"bare":   {"//acemq:message", Marker{Name: "message"}},
		"plain":  {"//acemq:message type=order.placed version=2", Marker{"message", []Argument{{"type", "order.placed", 16}, {"version", "2", 34}}}},
		"blanks": {"//acemq:message \t type=a  \r", Marker{"message", []Argument{{"type", "a", 18}}}},
		"quoted": {`//acemq:message type="a \"b\"" version=1`, Marker{"message", []Argument{{"type", `a "b"`, 16}, {"version", "1", 31}}}},
		"empty":  {`//acemq:message type=""`, Marker{"message", []Argument{{"type", "", 16}}}},
		"other":  {"//acemq:masage x=1", Marker{"masage", []Argument{{"x", "1", 15}}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(test.comment)
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, %v; want %+v", got, err, test.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	tests := map[string]struct {
		comment string
		want    SyntaxError
	}{
		"no value":          {"//acemq:message type", SyntaxError{16, `"type" is not key=value`}},
		"empty value":       {"//acemq:message type= version=1", SyntaxError{16, "the key type has no value"}},
		"no key":            {"//acemq:message =x", SyntaxError{16, `"" is not a key: a key is lower-case letters`}},
		"capitals":          {"//acemq:message Type=x", SyntaxError{16, `"Type" is not a key: a key is lower-case letters`}},
		"open quote":        {`//acemq:message version=1 type="x`, SyntaxError{26, "the value of type has no closing quote, or a wrong escape"}},
		"quote inside":      {`//acemq:message type=x"y`, SyntaxError{16, `the value x"y has to stand in quotes`}},
		"two equals":        {`//acemq:message type=x=y`, SyntaxError{16, `the value x=y has to stand in quotes`}},
		"glued to a string": {`//acemq:message type="x"y`, SyntaxError{16, `a blank is missing after "x"`}},
		"blank around =":    {`//acemq:message type = x`, SyntaxError{16, `"type" is not key=value`}},
		"comma":             {`//acemq:message type=x, version=1`, SyntaxError{16, `the value x, has to stand in quotes`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Parse(test.comment)
			var got *SyntaxError
			if !errors.As(err, &got) || *got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func FuzzMarker(f *testing.F) {
	f.Add("message type=order.placed version=2")
	f.Add(`message type="a \"b\" \x00" version=1`)
	f.Add("message type=\u2028 x=`y`")
	f.Fuzz(func(t *testing.T, text string) {
		first, err := Parse(Prefix + text)
		if err != nil {
			return
		}
		second, err := Parse(first.String())
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", text, first, err)
		}
		for i := range first.Args {
			first.Args[i].Offset = 0
		}
		for i := range second.Args {
			second.Args[i].Offset = 0
		}
		if !reflect.DeepEqual(first, second) {
			t.Errorf("%q is read as %+v and, printed, as %+v", text, first, second)
		}
	})
}
