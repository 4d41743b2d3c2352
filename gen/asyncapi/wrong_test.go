package asyncapi_test

import (
	"strings"
	"testing"
)

// TestOneThingWrongIsRefused shows that the published schema refuses documents of which one thing is wrong.
func TestOneThingWrongIsRefused(t *testing.T) {
	schema := published(t)
	text := documentOf(t, ordersDir(t))
	for _, wrong := range []struct {
		at     []string
		member string
		value  any // nil takes the member away
	}{
		{nil, "asyncapi", "2.6.0"},
		{[]string{"info"}, "title", nil},
		{[]string{"operations", "sendPlaced"}, "action", "publish"},
		{[]string{"operations", "sendPlaced"}, "acemq-options", []any{}},
		{[]string{"operations", "sendPlaced", "bindings", "amqp"}, "deliveryMode", 3},
		{[]string{"operations", "sendQuotes", "reply", "address"}, "location", "reply-to"},
		{[]string{"channels", "queue.quotes", "bindings", "amqp"}, "bindingVersion", "0.9.1"},
		{[]string{"channels", "queue.quotes", "bindings", "amqp"}, "exchange", object{}},
		{[]string{"channels", "queue.quotes", "bindings", "amqp"}, "queue", nil},
		{[]string{"channels", "exchange.checkout.price", "bindings", "amqp", "exchange"}, "type", "x"},
		{[]string{"components", "messages", "cart.v1", "headers"}, "type", "text"},
		{[]string{"components", "messages", "cart.v1", "payload"}, "schemaFormat", 2020},
	} {
		document := decoded(t, text).(object)
		set(in(document, wrong.at...), wrong.member, wrong.value)
		if schema.Validate(document) == nil {
			t.Errorf("%s may be %v in %v", wrong.member, wrong.value, wrong.at)
		}
	}
}

// TestOneFaultIsFound shows that what validate looks for besides is found.
func TestOneFaultIsFound(t *testing.T) {
	text := documentOf(t, ordersDir(t))
	for _, wrong := range []struct {
		at     []string
		member string
		value  any // nil takes the member away
		want   string
	}{
		{[]string{"components", "messages", "order.v1", "payload", "schema"}, "$defs", nil, "leads nowhere"},
		{[]string{"channels", "queue.quotes", "messages"}, "quote.request.v1", nil, "leads nowhere"},
		{[]string{"channels", "queue.accounting.ledger"}, "parameters", nil, "and the parameters []"},
		{[]string{"channels", "queue.quotes"}, "address", "{a}", "and the parameters []"},
		{[]string{"channels", "reply.quotes"}, "address", "replies", "and so has its channel"},
		{[]string{"operations", "sendPlaced", "channel"}, "$ref", "#/channels/queue.quotes", "not of its channel"},
		{[]string{"components", "messages"}, "order placed", object{}, "is no name"},
	} {
		document := decoded(t, text).(object)
		if found := faults(document); found != nil {
			t.Fatal(found)
		}
		set(in(document, wrong.at...), wrong.member, wrong.value)
		if found := faults(document); !strings.Contains(strings.Join(found, "\n"), wrong.want) {
			t.Errorf("%s is %v in %v, and found is %v", wrong.member, wrong.value, wrong.at, found)
		}
	}
}

func set(o object, member string, value any) {
	if value == nil {
		delete(o, member)
		return
	}
	o[member] = value
}

// in returns the object under names.
func in(document object, names ...string) object {
	if len(names) == 0 {
		return document
	}
	at, found := resolve(document, "#/"+strings.Join(names, "/"))
	if !found {
		panic("there is nothing at " + strings.Join(names, "/"))
	}
	return at.(object)
}
