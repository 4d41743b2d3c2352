// Package definitions writes a topology as the definitions that RabbitMQ imports.
package definitions

import (
	"io"

	"github.com/acemq/acemq-gen/gen/jsontext"
	"github.com/acemq/acemq-gen/runtime/topology"
)

// file is a definitions file, with the keys in the order in which RabbitMQ exports them. It names its virtual host with
// each object and does not define it: that would reset the description and the tags of one that is there.
type file struct {
	Exchanges []exchange `json:"exchanges"`
	Queues    []queue    `json:"queues"`
	Bindings  []binding  `json:"bindings"`
}

type exchange struct {
	Name       string         `json:"name"`
	VHost      string         `json:"vhost"`
	Type       topology.Kind  `json:"type"`
	Durable    bool           `json:"durable"`
	AutoDelete bool           `json:"auto_delete"`
	Internal   bool           `json:"internal"`
	Arguments  map[string]any `json:"arguments"`
}

type queue struct {
	Name       string         `json:"name"`
	VHost      string         `json:"vhost"`
	Durable    bool           `json:"durable"`
	AutoDelete bool           `json:"auto_delete"`
	Arguments  map[string]any `json:"arguments"`
}

type binding struct {
	Source          string         `json:"source"`
	VHost           string         `json:"vhost"`
	Destination     string         `json:"destination"`
	DestinationType string         `json:"destination_type"`
	RoutingKey      string         `json:"routing_key"`
	Arguments       map[string]any `json:"arguments"`
}

// Write writes a topology as definitions for a virtual host, in the order of the topology. What is external is left out:
// its owner defines it.
func Write(w io.Writer, t *topology.Topology, vhost string) error {
	out := file{[]exchange{}, []queue{}, []binding{}}
	for _, e := range t.Exchanges {
		if !e.External {
			out.Exchanges = append(out.Exchanges, exchange{
				Name: e.Name, VHost: vhost, Type: e.Kind, Durable: true, Arguments: map[string]any{},
			})
		}
	}
	for _, q := range t.Queues {
		if !q.External {
			out.Queues = append(out.Queues, queue{
				Name: q.Name, VHost: vhost, Durable: true, Arguments: arguments(q.Arguments),
			})
		}
	}
	for _, b := range t.Bindings {
		out.Bindings = append(out.Bindings, binding{
			Source: b.Exchange, VHost: vhost, Destination: b.Queue, DestinationType: "queue", RoutingKey: b.Key,
			Arguments: arguments(b.Arguments),
		})
	}
	return jsontext.Write(w, out)
}

// arguments returns a table that is an object in JSON, an empty one too. Numbers in it are whole, and stay so.
func arguments(table map[string]any) map[string]any {
	if table == nil {
		return map[string]any{}
	}
	return table
}
