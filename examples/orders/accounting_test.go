package main

import (
	"strings"
	"testing"
)

func TestVerifyLedger(t *testing.T) {
	for _, test := range []struct {
		name    string
		applied []string
		want    string // empty for a ledger in order
	}{
		{"in order", []string{"a", "b", "c"}, ""},
		{"delivered twice", []string{"a", "a", "b", "c", "c"}, ""},
		{"what an earlier run left", []string{"x", "a", "y", "b", "c", "z"}, ""},
		{"overtaken", []string{"b", "a", "c"}, "out of order at entry 1"},
		{"applied again later", []string{"a", "b", "a", "c"}, "out of order at entry 3"},
		{"missing", []string{"a", "c"}, "out of order at entry 2"},
		{"missing at the end", []string{"a", "b"}, "has 2 entries of 3"},
		{"applied again at the end", []string{"a", "b", "c", "a"}, "out of order at entry 4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := &accounting{accounts: map[string]*account{}}
			account := a.of("VINET")
			for _, order := range []string{"a", "b", "c"} {
				account.sent = append(account.sent, order)
				account.written[order] = true
			}
			for _, order := range test.applied {
				account.apply(order)
			}
			err := a.verify()
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("verify: %v, want %q", err, test.want)
			}
		})
	}
}
