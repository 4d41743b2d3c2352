package request

import acemq "github.com/acemq/acemq-gen/runtime"

// Calls are what the clients of a connection have seen.
type Calls struct {
	Answered   int64 // calls that a server answered
	Failed     int64 // calls that a server failed at, or that did not reach their queue
	TimedOut   int64 // calls whose time was up
	Abandoned  int64 // calls whose caller gave up, or whose connection was closed
	Unmatched  int64 // replies that nobody waited for: they came late, or twice
	InProgress int64 // calls that wait
}

// CallsOf returns the counts of a connection so far.
func CallsOf(conn *acemq.Conn) Calls { return Calls{} }

// Answers are what a server has done.
type Answers struct {
	Answered     int64 // requests whose answer is in the caller's queue
	Failed       int64 // requests whose failure is in the caller's queue
	Unanswerable int64 // requests without a reply address
	CallerGone   int64 // answers and failures that found no reply queue
	NotSent      int64 // answers that could not be sent: their requests failed
}

// Answers returns the counts so far.
func (s *Server) Answers() Answers { return Answers{} }
