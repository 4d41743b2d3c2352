// Package brokertest gives tests a real RabbitMQ, started when asked for and ended when done, and faults on the way to
// it.
//
// A test run is told where its broker is by the environment, so that the packages of one run share one node:
// cmd/with-broker starts the node, sets the variables and runs the tests. Plain `go test` starts nothing: a test that
// needs a broker is skipped and says so.
package brokertest

import (
	"context"
	"os"
	"testing"
	"time"
)

// The environment of a test run.
const (
	// URLVariable holds the URL of the broker that the run shares.
	URLVariable = "ACEMQ_TEST_AMQP_URL"

	// PolicyVariable says what a test does that has no broker: with the value [Required] it fails, and may start a
	// node of its own; otherwise it is skipped.
	PolicyVariable = "ACEMQ_TEST_BROKER"

	// Required is the value of [PolicyVariable] under which a broker test never passes without a broker.
	Required = "required"
)

const advice = "run `make test`, or set " + URLVariable + " to the URL of a RabbitMQ that tests may use"

// URL returns the URL of the run's shared broker. Without one it skips the test, or fails it where a broker is
// [Required]. Tests that share it use names of their own and never disturb the node; see [Node] for one to disturb.
func URL(t testing.TB) string {
	t.Helper()
	if url := os.Getenv(URLVariable); url != "" {
		return url
	}
	missing(t, "this test needs RabbitMQ: "+advice)
	return ""
}

// Node starts a node that belongs to the test, which may kill it, restart it and raise its alarms. The lines of conf
// are added to its rabbitmq.conf. It ends with the test. Where brokers are not [Required], the test is skipped.
func Node(t testing.TB, conf ...string) *Server {
	t.Helper()
	if os.Getenv(PolicyVariable) != Required {
		t.Skip("this test starts a RabbitMQ of its own, and does so only where " + PolicyVariable + "=" + Required +
			" is set, as `make test` does")
	}
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	server, err := Start(ctx, conf...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Remove(); err != nil {
			t.Error(err)
		}
	})
	return server
}

func missing(t testing.TB, sentence string) {
	t.Helper()
	if os.Getenv(PolicyVariable) == Required {
		t.Fatal(sentence)
	}
	t.Skip(sentence)
}

// startTimeout bounds the start of a node: a cold one on a busy machine takes half a minute.
const startTimeout = 2 * time.Minute
