// With-databases runs a command with database servers for its tests:
//
//	with-databases go test ./...
//
// The command's environment names a PostgreSQL in ACEMQ_TEST_POSTGRES_URL and a MariaDB in ACEMQ_TEST_MYSQL_DSN, and
// ACEMQ_TEST_DATABASES=required makes tests fail that find none. A server that a variable names already is taken as it is;
// the others are started, and ended with the command, also when a signal ends it. The exit code is the command's.
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

	"github.com/acemq/acemq-gen/internal/dbtest"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "with-databases:", err)
	}
	os.Exit(code)
}

// run runs the command and returns its exit code, or 1 with the reason why it was not run.
func run(args []string) (int, error) {
	if len(args) == 0 {
		return 2, errors.New("say what to run: with-databases COMMAND [ARGUMENT...]")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	environment := append(os.Environ(), dbtest.PolicyVariable+"="+dbtest.Required)
	for _, kind := range []dbtest.Kind{dbtest.PostgreSQL, dbtest.MariaDB} {
		if os.Getenv(kind.Variable()) != "" {
			continue
		}
		server, err := dbtest.Start(ctx, kind)
		if err != nil {
			return 1, err
		}
		defer server.Remove()
		environment = append(environment, kind.Variable()+"="+server.URL())
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = environment
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
