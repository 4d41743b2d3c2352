// Package survey asks a broker what it has of a topology. It creates and changes nothing.
//
// It asks over AMQP (contract: topology, plan): whether an object is there, and only then, for what is there, whether
// the exact declaration is accepted, which the broker does by comparing all settings. Each question has a channel of its
// own, for a broker that says no closes the channel; and the connection is not made again when it is lost, so that a
// declaration never meets another broker than the one that had the object. What is deleted by others between the two
// questions, a round trip apart, would come back as it is declared.
package survey

import (
	"context"
	"errors"
	"fmt"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/gen/plan"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport/rabbit"
)

// Ask asks the broker at an amqp:// or amqps:// URL what it has of a topology. AMQP shows no bindings: where both their
// ends are there, they are plan.NotAsked, unless management, the URL of the broker's management API, shows them. Errors
// hold no password.
func Ask(ctx context.Context, url, management string, t *topology.Topology) (plan.Found, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn, err := rabbit.Open(ctx, url, rabbit.Options{Name: "acemq-gen plan"})
	if err != nil {
		return plan.Found{}, err
	}
	defer conn.Close()
	found := plan.Found{Broker: conn.RemoteAddr().String(), VHost: conn.Config.Vhost}
	if found.Exchanges, err = each(conn, t.Exchanges, exchange); err != nil {
		return plan.Found{}, err
	}
	if found.Queues, err = each(conn, t.Queues, queue); err != nil {
		return plan.Found{}, err
	}
	found.Bindings, err = bindings(ctx, management, t, found)
	return found, err
}

// each asks for each object.
func each[T any](conn *amqp.Connection, objects []T,
	ask func(*amqp.Connection, T) (plan.Answer, error)) ([]plan.Answer, error) {
	answers := make([]plan.Answer, len(objects))
	for i, object := range objects {
		var err error
		if answers[i], err = ask(conn, object); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

func exchange(conn *amqp.Connection, e topology.Exchange) (plan.Answer, error) {
	return compare(conn, e.External,
		func(ch *amqp.Channel) error {
			return ch.ExchangeDeclarePassive(e.Name, string(e.Kind), true, false, false, false, nil)
		},
		func(ch *amqp.Channel) error {
			return ch.ExchangeDeclare(e.Name, string(e.Kind), true, false, false, false, nil)
		})
}

func queue(conn *amqp.Connection, q topology.Queue) (plan.Answer, error) {
	return compare(conn, q.External,
		func(ch *amqp.Channel) error {
			_, err := ch.QueueDeclarePassive(q.Name, true, false, false, false, nil)
			return err
		},
		func(ch *amqp.Channel) error {
			_, err := ch.QueueDeclare(q.Name, true, false, false, false, amqp.Table(q.Arguments))
			return err
		})
}

// compare asks whether an object is there, and where it is and is not external, whether it is as it is declared.
func compare(conn *amqp.Connection, external bool, exists, declare func(*amqp.Channel) error) (plan.Answer, error) {
	answer, err := ask(conn, exists)
	switch {
	case err != nil:
	case external && answer.Standing == plan.Missing:
		answer.Standing = plan.Absent
	case !external && answer.Standing == plan.Same:
		return ask(conn, declare)
	}
	return answer, err
}

// ask makes one request on a channel of its own. An error means that the connection is lost.
func ask(conn *amqp.Connection, request func(*amqp.Channel) error) (plan.Answer, error) {
	ch, err := conn.Channel()
	if err != nil {
		return plan.Answer{}, lost(err)
	}
	defer ch.Close()
	var refused *amqp.Error
	switch err := request(ch); {
	case err == nil:
		return plan.Answer{Standing: plan.Same}, nil
	case !errors.As(err, &refused) || !refused.Server || conn.IsClosed():
		return plan.Answer{}, lost(err)
	case refused.Code == amqp.PreconditionFailed:
		return plan.Answer{Standing: plan.Other, Reason: refused.Reason}, nil
	case refused.Code == amqp.NotFound && strings.HasPrefix(refused.Reason, "NOT_FOUND - no "):
		return plan.Answer{Standing: plan.Missing}, nil
	default: // a 404 of other words is a queue whose node is down
		return plan.Answer{Standing: plan.Refused, Reason: refused.Reason}, nil
	}
}

// lost says that the connection went away in between.
func lost(err error) error {
	return fmt.Errorf("the connection was lost before the broker answered: %w", err)
}
