package replay

import acemq "github.com/acemq/acemq-gen/runtime"

// Option changes how a replay goes.
type Option func(*settings)

type settings struct {
	into         string // empty is the queue that the other is named after
	keepAttempts bool
	codec        acemq.Codec
	progress     func(Result)
}

// Into says which queue the messages go to. It cannot be the one that they come from.
func Into(queue string) Option { return func(s *settings) { s.into = queue } }

// KeepingAttempts leaves the attempt and the reason of the failure on the copies, for an audit, or for a queue whose
// reader counts by itself. In its own queue of work, a message that had used up its attempts is given up again on the
// first failure.
func KeepingAttempts() Option { return func(s *settings) { s.keepAttempts = true } }

// DecodeWith sets the codec that a typed filter sees messages by. The default is that of the connection.
func DecodeWith(codec acemq.Codec) Option { return func(s *settings) { s.codec = codec } }

// OnProgress has report called with the result so far after each message that was moved or declined, from the
// goroutine of the run.
func OnProgress(report func(Result)) Option { return func(s *settings) { s.progress = report } }
