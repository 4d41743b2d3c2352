// With-broker runs a command with a RabbitMQ for its tests:
//
//	with-broker go test ./...
//
// The command's environment names the broker in ACEMQ_TEST_AMQP_URL, and ACEMQ_TEST_BROKER=required makes tests fail
// that find none. A broker that ACEMQ_TEST_AMQP_URL names already is taken as it is; otherwise a node is started, and
// ended with the command, also when a signal ends it. The exit code is the command's.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/acemq/acemq-gen/internal/brokertest"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "with-broker:", err)
	}
	os.Exit(code)
}

// run runs the command and returns its exit code, or 1 with the reason why it was not run.
func run(args []string) (int, error) {
	if len(args) == 0 {
		return 2, errors.New("say what to run: with-broker COMMAND [ARGUMENT...]")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()

	url := os.Getenv(brokertest.URLVariable)
	if url == "" {
		server, err := brokertest.Start(ctx)
		if err != nil {
			return 1, err
		}
		defer server.Remove()
		url = server.URL()
	}

	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), brokertest.URLVariable+"="+url, brokertest.PolicyVariable+"="+brokertest.Required)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() > 0 {
		return exit.ExitCode(), nil
	}
	if err != nil {
		return 1, err
	}
	return 0, nil
}
