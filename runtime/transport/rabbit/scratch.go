package rabbit

import (
	"context"
	"errors"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// scratch is a throwaway channel for declarations and questions, because a request that is refused costs its channel.
// It is used by one goroutine.
type scratch struct {
	ctx     context.Context
	epoch   *epoch
	channel *amqp.Channel // nil before the first request
}

// ask runs work on a scratch channel of the connection that does not publish, and again where the connection is lost
// in between.
func (b *broker) ask(ctx context.Context, work func(*scratch) error) error {
	ctx, cancel := b.consuming.bound(ctx)
	defer cancel()
	for {
		e, err := b.consuming.epoch(ctx)
		if err != nil {
			return err
		}
		err = e.scratch(ctx, work)
		if err == nil || ctx.Err() != nil || !isLoss(err) || !e.conn.IsClosed() {
			return err
		}
		if err := b.consuming.awaitChange(ctx, e); err != nil {
			return err
		}
	}
}

// scratch runs work on a scratch channel of the epoch, and returns early when ctx ends.
func (e *epoch) scratch(ctx context.Context, work func(*scratch) error) error {
	_, err := await(ctx, func() (struct{}, error) {
		s := &scratch{ctx: ctx, epoch: e}
		defer s.close()
		return struct{}{}, work(s)
	}, func(struct{}) {})
	return err
}

// do makes one request, on a fresh channel where there is none or the last was refused.
func (s *scratch) do(request func(*amqp.Channel) error) error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if s.channel == nil || s.channel.IsClosed() {
		err := s.epoch.request(func() (err error) {
			s.channel, err = s.epoch.conn.Channel()
			return err
		})
		if err != nil {
			s.channel = nil
			return err
		}
	}
	return s.epoch.request(func() error { return request(s.channel) })
}

func (s *scratch) close() {
	if s.channel != nil {
		s.epoch.request(s.channel.Close)
	}
}

// inspect asks for a queue.
func (s *scratch) inspect(name string) (state transport.QueueState, err error) {
	err = s.do(func(ch *amqp.Channel) error {
		q, err := ch.QueueDeclarePassive(name, true, false, false, false, nil)
		state = transport.QueueState{Ready: q.Messages, Consumers: q.Consumers}
		return err
	})
	return state, explain(named("queue", name), err)
}

// isLoss reports whether a request failed because its connection is gone.
func isLoss(err error) bool {
	var failure *amqp.Error
	return errors.As(err, &failure) && (!failure.Server || !failure.Recover)
}
