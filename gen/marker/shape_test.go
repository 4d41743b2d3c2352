package marker

import "testing"

func TestReadShape(t *testing.T) {
	for comment, want := range map[string]Shape{
		`//acemq:schema type=string format=decimal example=12.50`: {Type: "string", Format: "decimal", Example: "12.50"},
		`//acemq:schema type=string pattern="^[A-Z]{3}$"`:         {Type: "string", Pattern: "^[A-Z]{3}$"},
		`//acemq:schema type=any`:                                 {Type: "any"},
	} {
		if got, is := ReadShape(comment); !is || got != want {
			t.Errorf("%s is read as %+v, %v", comment, got, is)
		}
	}
	for _, comment := range []string{
		"//acemq:schema", "//acemq:schema format=x", "//acemq:schema type=text", "//acemq:schema type=string colour=red",
		`//acemq:schema type=string pattern="("`, "//acemq:message type=string", "// a comment", "//acemq:schema type",
	} {
		if got, is := ReadShape(comment); is {
			t.Errorf("%s is read as %+v", comment, got)
		}
	}
}

func TestIsClosed(t *testing.T) {
	for comment, want := range map[string]bool{
		"//acemq:closed": true, "//acemq:closed x=y": false, "//acemq:message": false, "closed": false,
	} {
		if got := IsClosed(comment); got != want {
			t.Errorf("%s is closed: %v", comment, got)
		}
	}
}
