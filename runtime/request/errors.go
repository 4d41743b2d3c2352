package request

import "fmt"

// FailedError says that a server took a request and failed. Whether it did a part of the work is the server's to say.
type FailedError struct {
	Queue  string // of the request
	ID     string // of the request
	Reason string // in the server's words
}

func (e *FailedError) Error() string {
	return fmt.Sprintf("acemq: the server of %q failed at request %s: %s", e.Queue, e.ID, e.Reason)
}

// NoAnswerError says that a request was sent and that no answer came. It does not say that nobody handled the request:
// to ask again may have it handled twice.
type NoAnswerError struct {
	Queue string // of the request
	ID    string // of the request
	Cause error  // why the wait ended
	Sent  error  // what the broker said of the request: nil when it took it, otherwise an *acemq.UnknownError
}

func (e *NoAnswerError) Error() string {
	text := fmt.Sprintf("acemq: no answer from %q to request %s, which may have been handled or not: %v",
		e.Queue, e.ID, e.Cause)
	if e.Sent != nil {
		text += fmt.Sprintf(" (%v)", e.Sent)
	}
	return text
}

// Unwrap returns the causes.
func (e *NoAnswerError) Unwrap() []error {
	if e.Sent == nil {
		return []error{e.Cause}
	}
	return []error{e.Cause, e.Sent}
}
