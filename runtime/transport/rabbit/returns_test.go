package rabbit

import (
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/transport"
)

func TestReturnsAreMatchedByAddressAndCounted(t *testing.T) {
	r := newReturns(8)
	send := func(exchange, key, id string) {
		r.incoming <- amqp.Return{Exchange: exchange, RoutingKey: key, MessageId: id}
	}
	address := func(exchange, key, id string) transport.Address {
		return transport.Address{Exchange: exchange, Key: key, MessageID: id}
	}
	send("x", "k", "1")
	send("x", "k", "twice")
	send("x", "k", "twice")
	for _, test := range []struct {
		address transport.Address
		want    bool
	}{
		{address("x", "k", "0"), false},
		{address("x", "other", "1"), false},
		{address("y", "k", "1"), false},
		{address("x", "k", "1"), true},
		{address("x", "k", "1"), false},
		{address("x", "k", "twice"), true},
		{address("x", "k", "twice"), true},
		{address("x", "k", "twice"), false},
	} {
		if got := r.take(test.address); got != test.want {
			t.Errorf("%v: returned is %v, want %v", test.address, got, test.want)
		}
	}
	if len(r.back) != 0 {
		t.Errorf("%d addresses are left behind", len(r.back))
	}

	// What came before the channel closed still counts.
	send("x", "k", "last")
	close(r.incoming)
	if !r.take(address("x", "k", "last")) {
		t.Error("a return is lost when the channel closes")
	}
}
