package wire

import (
	"errors"
	"strings"
	"testing"
)

func TestReplyFailure(t *testing.T) {
	for _, test := range []struct {
		name    string
		headers Table
		reason  string
		failed  bool
	}{
		{"no headers", nil, "", false},
		{"absent", Table{HeaderError: "why a copy was set aside"}, "", false},
		{"a string", Table{HeaderReplyError: "no stock"}, "no stock", true},
		{"bytes", Table{HeaderReplyError: []byte("no stock")}, "no stock", true},
		{"empty", Table{HeaderReplyError: ""}, "", false},
		{"void", Table{HeaderReplyError: nil}, "", false},
		{"no text", Table{HeaderReplyError: int64(7)}, "7", true},
	} {
		if reason, failed := ReplyFailure(test.headers); reason != test.reason || failed != test.failed {
			t.Errorf("%s: %q, %v", test.name, reason, failed)
		}
	}
}

func TestReplyReason(t *testing.T) {
	for cause, want := range map[error]string{
		nil:                                     "no reason given",
		errors.New(""):                          "no reason given",
		errors.New("no stock\xff"):              "no stock\uFFFD",
		errors.New(strings.Repeat("é", 10_000)): strings.Repeat("é", maxReason/2),
	} {
		if got := ReplyReason(cause); got != want {
			t.Errorf("%v: %q", cause, got)
		}
	}
}
