// Package testserver holds what the servers of the tests have in common: what a test does without one, a free port, and
// Debian's packages. brokertest and dbtest stand on it, and cmd/with-servers starts them all for one test run.
package testserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"
)

// PolicyVariable says what a test does that has no server: with the value [Required] it fails, and may start a server of
// its own; otherwise it is skipped.
const PolicyVariable = "ACEMQ_TEST_SERVERS"

// Required is the value of [PolicyVariable] under which a test never passes without its server.
const Required = "required"

// StartTimeout bounds the start of a server: a cold one on a busy machine takes half a minute.
const StartTimeout = 2 * time.Minute

// Missing ends a test that has no server: it fails where servers are [Required], and is skipped elsewhere. The sentence
// says what is missing and what to do.
func Missing(t testing.TB, sentence string) {
	t.Helper()
	if os.Getenv(PolicyVariable) == Required {
		t.Fatal(sentence)
	}
	t.Skip(sentence)
}

// Server is a server that a test starts.
type Server interface{ Remove() error }

// Own starts a server that belongs to the test and ends with it. Where servers are not [Required], the test is skipped.
// The words for the server are what: "RabbitMQ".
func Own[S Server](t testing.TB, what string, start func(context.Context) (S, error)) S {
	t.Helper()
	if os.Getenv(PolicyVariable) != Required {
		t.Skipf("this test starts a %s of its own, and does so only where %s=%s is set, as `make test` does", what,
			PolicyVariable, Required)
	}
	ctx, cancel := context.WithTimeout(t.Context(), StartTimeout)
	defer cancel()
	server, err := start(ctx)
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

// FreePort returns a loopback port that nobody listened on a moment ago.
func FreePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// Install installs one of Debian's packages, as root, and keeps its service from starting.
func Install(ctx context.Context, name string) error {
	if os.Geteuid() != 0 {
		return errors.New("not root")
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return errors.New("no apt-get")
	}
	const script = `set -e
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
apt-get update -qq
apt-get install -y -qq --no-install-recommends "$1"`
	out, err := exec.CommandContext(ctx, "sh", "-c", script, "install", name).CombinedOutput()
	if err != nil {
		return fmt.Errorf("apt-get: %w: %s", err, Tail(out))
	}
	return nil
}

// Tail returns the end of what a program printed.
func Tail(out []byte) []byte {
	const most = 600
	if len(out) > most {
		return out[len(out)-most:]
	}
	return out
}
