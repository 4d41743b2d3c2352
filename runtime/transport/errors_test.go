package transport

import (
	"errors"
	"testing"
)

func TestErrorsNameTheirMessage(t *testing.T) {
	for want, err := range map[string]error{
		`message 7 to events with key "a.b" was not sent: why`:             &RefusedError{Address{"events", "a.b", "7"}, errors.New("why")},
		`message 7 to the default exchange with key "q" was not sent: why`: &RefusedError{Address{"", "q", "7"}, errors.New("why")},
		`a message to events with key "{Region}" was not sent: why`:        &RefusedError{Address{"events", "{Region}", ""}, errors.New("why")},
		`a message was not sent: why`:                                      &RefusedError{Cause: errors.New("why")},
	} {
		if got := err.Error(); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}
