package request

import (
	"errors"
	"sync/atomic"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// Calls are what the clients of a connection have seen.
type Calls struct {
	Answered  int64 // calls that a server answered
	Failed    int64 // calls that a server failed at, whose request was not sent, or whose answer cannot be read
	TimedOut  int64 // calls whose time was up
	Abandoned int64 // calls whose caller gave up, or whose connection was closed
	Unmatched int64 // replies that nobody waited for: they came late, or twice
	InFlight  int64 // calls that wait
}

// callTally is Calls while they are counted.
type callTally struct{ answered, failed, timedOut, abandoned, unmatched atomic.Int64 }

// note counts a call by its outcome.
func (t *callTally) note(err error) {
	var none *NoAnswerError
	switch {
	case err == nil:
		t.answered.Add(1)
	case isTimeout(err):
		t.timedOut.Add(1)
	case errors.As(err, &none):
		t.abandoned.Add(1)
	default:
		t.failed.Add(1)
	}
}

// CallsOf returns the counts of a connection so far.
func CallsOf(conn *acemq.Conn) Calls {
	d := deskOf(conn)
	return Calls{
		Answered:  d.tally.answered.Load(),
		Failed:    d.tally.failed.Load(),
		TimedOut:  d.tally.timedOut.Load(),
		Abandoned: d.tally.abandoned.Load(),
		Unmatched: d.tally.unmatched.Load(),
		InFlight:  d.inFlight(),
	}
}

// Answers are what a server has done.
type Answers struct {
	Answered     int64 // answers that are in their caller's queue, or on their way
	Failed       int64 // failures that are in their caller's queue, or on their way
	Unanswerable int64 // requests without a reply address
	CallerGone   int64 // answers and failures that found no reply queue
	NotSent      int64 // answers and failures that could not be sent
}

// answerTally is Answers while they are counted.
type answerTally struct{ answered, failed, unanswerable, callerGone, notSent atomic.Int64 }

// Answers returns the counts so far.
func (s *Server) Answers() Answers {
	return Answers{
		Answered:     s.tally.answered.Load(),
		Failed:       s.tally.failed.Load(),
		Unanswerable: s.tally.unanswerable.Load(),
		CallerGone:   s.tally.callerGone.Load(),
		NotSent:      s.tally.notSent.Load(),
	}
}
