package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/internal/route"
)

// Pipeline is a service's hold on a pipeline whose messages enter as a T: it sends them in, resumes them, and runs the
// steps that it was started with. It may be used concurrently.
type Pipeline[T any] struct {
	run       *runner
	consumers []*acemq.Consumer // of the steps that run here, in the order of their handlers
}

// New returns a pipeline that sends in and resumes, and runs no step. It costs nothing and needs no closing.
func New[T any](conn *acemq.Conn, d *Declaration) *Pipeline[T] {
	return &Pipeline[T]{run: newRunner(conn, d)}
}

// Run declares the pipeline, as [Declaration.Topology] has it, and starts a consumer for each handler. The options
// apply to every one of them. Where a step does not start, those that did are stopped again.
//
// ctx bounds the start. Close the pipeline, or the connection, to stop.
func Run[T any](ctx context.Context, conn *acemq.Conn, d *Declaration, handlers []Handler,
	opts ...acemq.ConsumeOption) (*Pipeline[T], error) {
	p := New[T](conn, d)
	if err := p.start(ctx, handlers, opts); err != nil {
		err = errors.Join(err, p.Close(context.WithoutCancel(ctx)))
		return nil, fmt.Errorf("acemq: run pipeline %q: %w", d.Name, err)
	}
	return p, nil
}

func (p *Pipeline[T]) start(ctx context.Context, handlers []Handler, opts []acemq.ConsumeOption) error {
	if err := p.run.check(handlers); err != nil {
		return err
	}
	if err := p.run.conn.Declare(ctx, p.run.declaration.Topology()); err != nil {
		return err
	}
	for _, h := range handlers {
		consumer, err := h.start(ctx, p.run, opts)
		if err != nil {
			return err
		}
		p.consumers = append(p.consumers, consumer)
	}
	return nil
}

// Send sends payload to the first step, and returns once the broker has confirmed it and put it into the step's queue.
// The outcomes are those of [acemq.Publisher]. A route whose slip would grow larger than [wire.MaxSlip] is an
// [*acemq.RefusedError].
func (p *Pipeline[T]) Send(ctx context.Context, payload T, opts ...acemq.PublishOption) error {
	if p.run.fault != nil {
		return &acemq.RefusedError{Cause: p.run.fault}
	}
	slip, err := p.run.slip()
	if err != nil {
		return &acemq.RefusedError{Cause: err}
	}
	defer p.run.tally.hold()()
	start := route.Start{Slip: slip, Type: p.run.declaration.Type, Version: p.run.declaration.Version}
	err = route.Send(ctx, p.run.conn, p.run.routes, start, payload, opts)
	if err == nil {
		p.run.tally.entered.Add(1)
	}
	return err
}

// Resume sends a message that failed at a step back to it, with attempt 1 and no error: payload is what the step
// received, and headers are the wire headers of the message in {queue}.dlq, see [acemq.Pull]. The steps before it are
// not repeated. Accept the message in the dead-letter queue once Resume has returned nil. A message whose slip says
// that it is at another step is an error; one without a slip is at the step. It does not count as entered.
func Resume[T, In any](ctx context.Context, p *Pipeline[T], step string, payload In, headers acemq.Headers) error {
	place, err := p.run.routes.Place(step)
	if err != nil {
		return fmt.Errorf("acemq: resume: %w", err)
	}
	defer p.run.tally.hold()()
	return p.run.routes.Resume(ctx, p.run.conn, place, &payload, headers, p.run.absent)
}

// QueueFor returns the name of the queue of a step: {pipeline}.{step}.
func (p *Pipeline[T]) QueueFor(step string) string { return p.run.declaration.QueueFor(step) }

// Waiting asks the broker how many messages wait in the queues of the steps. Those that somebody has in hand, that wait
// for another attempt, or that were set aside are not among them.
func (p *Pipeline[T]) Waiting(ctx context.Context) (int, error) {
	waiting := 0
	for _, step := range p.run.declaration.Steps {
		state, err := p.run.conn.Inspect(ctx, p.QueueFor(step.Name))
		if err != nil {
			return 0, err
		}
		waiting += state.Ready
	}
	return waiting, nil
}

// Consumers returns the consumers of the steps that run here, in the order in which they were started.
func (p *Pipeline[T]) Consumers() []*acemq.Consumer { return slices.Clone(p.consumers) }

// Close stops the steps that run here, side by side, and waits until what they hold is settled. It is
// [acemq.Consumer.Close] for each. The connection stays open, and messages can still be sent in.
func (p *Pipeline[T]) Close(ctx context.Context) error {
	faults := make([]error, len(p.consumers))
	var closing sync.WaitGroup
	for i, consumer := range p.consumers {
		closing.Go(func() { faults[i] = consumer.Close(ctx) })
	}
	closing.Wait()
	return errors.Join(faults...)
}
