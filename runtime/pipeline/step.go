package pipeline

import (
	"context"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/internal/route"
)

// End is returned by a step to end its message there, as fs.SkipDir ends a directory. It is how a filter is written:
// the message is done, and counted apart from those that came out at the end.
var End = route.ErrEnd

// StepFunc does the work of a step: what it returns goes on to the next one, and is dropped behind the last. An error
// is a failure: the message is tried again by the step's retry policy, or dead-lettered when the error is
// [acemq.Fatal]. [End] ends the message. It may run more than once for one message.
type StepFunc[In, Out any] func(ctx context.Context, m *acemq.Message[In]) (Out, error)

// SinkFunc does the work of a last step that returns nothing. It is a [StepFunc] otherwise.
type SinkFunc[In any] func(ctx context.Context, m *acemq.Message[In]) error

// Handler is a step with the function that does its work. Make it with [On] or [OnSink].
type Handler struct {
	step  string
	start func(ctx context.Context, r *runner, opts []acemq.ConsumeOption) (*acemq.Consumer, error)
}

// On has f do the work of a step.
func On[In, Out any](step string, f StepFunc[In, Out]) Handler {
	h := Handler{step: step}
	if f != nil {
		h.start = func(ctx context.Context, r *runner, opts []acemq.ConsumeOption) (*acemq.Consumer, error) {
			return follow(ctx, r, route.Follower[In, Out]{Run: f}, step, opts)
		}
	}
	return h
}

// OnSink has f do the work of a last step.
func OnSink[In any](step string, f SinkFunc[In]) Handler {
	h := Handler{step: step}
	if f != nil {
		run := func(ctx context.Context, m *acemq.Message[In]) (struct{}, error) { return struct{}{}, f(ctx, m) }
		h.start = func(ctx context.Context, r *runner, opts []acemq.ConsumeOption) (*acemq.Consumer, error) {
			return follow(ctx, r, route.Follower[In, struct{}]{Run: run, Sink: true}, step, opts)
		}
	}
	return h
}
