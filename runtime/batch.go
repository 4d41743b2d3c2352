package acemq

import "fmt"

// BatchError says which messages of a PublishAll were not confirmed. It unwraps to First.
type BatchError struct {
	Total     int
	Confirmed int
	Failed    int
	First     error   // the first failure, in the order of the messages
	Errors    []error // one for each message, nil where it was confirmed
}

func (e *BatchError) Error() string {
	return fmt.Sprintf("%d of %d messages were not confirmed; %d were. The first failure was: %v",
		e.Failed, e.Total, e.Confirmed, e.First)
}

// Unwrap returns First.
func (e *BatchError) Unwrap() error { return e.First }

// batchError returns what the outcomes of a batch amount to, nil where all are.
func batchError(errs []error) error {
	e := &BatchError{Total: len(errs), Errors: errs}
	for _, err := range errs {
		switch {
		case err == nil:
			e.Confirmed++
		case e.First == nil:
			e.First = err
			fallthrough
		default:
			e.Failed++
		}
	}
	if e.Failed == 0 {
		return nil
	}
	return e
}
