package definitions

import (
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
)

// TestWrite holds that numbers stay whole, however long, that names stay as they are, and that what is external is left
// out.
func TestWrite(t *testing.T) {
	declared := topology.New().
		ExternalExchange("upstream", topology.Fanout).
		Queue("a<&>é", topology.Bare(), topology.TTL(time.Hour), topology.MaxLength(5_000_000_000), topology.SingleActive()).
		ExternalQueue("elsewhere").
		Bind("a<&>é", "upstream")
	declared.Exchanges, declared.Queues, declared.Bindings =
		declared.Exchanges[:1], []topology.Queue{declared.Queues[0], {Name: "elsewhere", External: true}}, declared.Bindings[4:]
	const want = `{
  "exchanges": [],
  "queues": [
    {
      "name": "a<&>é",
      "vhost": "eu",
      "durable": true,
      "auto_delete": false,
      "arguments": {
        "x-max-length": 5000000000,
        "x-message-ttl": 3600000,
        "x-queue-type": "quorum",
        "x-single-active-consumer": true
      }
    }
  ],
  "bindings": [
    {
      "source": "upstream",
      "vhost": "eu",
      "destination": "a<&>é",
      "destination_type": "queue",
      "routing_key": "",
      "arguments": {}
    }
  ]
}
`
	var got strings.Builder
	if err := Write(&got, declared, "eu"); err != nil || got.String() != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, &got, want)
	}
}

// An empty topology is still what the broker takes.
func TestWriteNothing(t *testing.T) {
	var got strings.Builder
	err := Write(&got, topology.New(), "/")
	if want := "{\n  \"exchanges\": [],\n  \"queues\": [],\n  \"bindings\": []\n}\n"; err != nil || got.String() != want {
		t.Errorf("%v, got %s", err, &got)
	}
}
