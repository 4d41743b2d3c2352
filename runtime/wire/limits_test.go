package wire

import (
	"strings"
	"testing"
)

func TestCheckShort(t *testing.T) {
	tests := []struct{ value, want string }{
		{"", ""},
		{"order.placed", ""},
		{strings.Repeat("q", 255), ""},
		{strings.Repeat("é", 127), ""},
		{strings.Repeat("q", 256), "the routing key has 256 bytes, and AMQP takes 255 at most"},
		{strings.Repeat("é", 128), "the routing key has 256 bytes, and AMQP takes 255 at most"},
		{"order.\xff", `the routing key is not valid UTF-8: "order.\xff"`},
	}
	for _, test := range tests {
		err := CheckShort("the routing key", test.value)
		if (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.20q of %d bytes: got %v, want %q", test.value, len(test.value), err, test.want)
		}
		if err != nil && len(err.Error()) > 250 {
			t.Errorf("the error repeats the value: %v", err)
		}
	}
}

func TestCheckBody(t *testing.T) {
	body := make([]byte, MaxBody+1)
	if err := CheckBody(body[:MaxBody]); err != nil {
		t.Errorf("16 MiB: %v", err)
	}
	if err := CheckBody(nil); err != nil {
		t.Errorf("no body: %v", err)
	}
	if err := CheckBody(body); err == nil || !strings.Contains(err.Error(), "the body has 16777217 bytes") {
		t.Errorf("16 MiB and a byte: got %v", err)
	}
}
