// Package brokertest gives tests a real RabbitMQ, started when asked for and ended when done, and faults on the way to
// it.
//
// A test run is told where its broker is by the environment, so that the packages of one run share one node: the command
// with-servers of package testserver starts the node, sets the variables and runs the tests. Plain `go test` starts
// nothing: a test that needs a broker is skipped and says so.
package brokertest

import (
	"context"
	"os"
	"testing"

	"github.com/acemq/acemq-gen/internal/testserver"
)

// URLVariable holds the URL of the broker that a test run shares.
const URLVariable = "ACEMQ_TEST_AMQP_URL"

const advice = "run `make test`, or set " + URLVariable + " to the URL of a RabbitMQ that tests may use"

// URL returns the URL of the run's shared broker. Without one it skips the test, or fails it where servers are
// [testserver.Required]. Tests that share it use names of their own and never disturb the node; see [Node] for one to
// disturb.
func URL(t testing.TB) string {
	t.Helper()
	url := os.Getenv(URLVariable)
	if url == "" {
		testserver.Missing(t, "this test needs RabbitMQ: "+advice)
	}
	return url
}

// Node starts a node that belongs to the test, which may kill it, restart it and raise its alarms. The lines of conf
// are added to its rabbitmq.conf. It ends with the test. Where servers are not [testserver.Required], the test is skipped.
func Node(t testing.TB, conf ...string) *Server {
	t.Helper()
	return testserver.Own(t, "RabbitMQ", func(ctx context.Context) (*Server, error) { return Start(ctx, conf...) })
}
