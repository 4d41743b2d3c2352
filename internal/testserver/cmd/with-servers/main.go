// With-servers runs a command with the servers that its tests need, a RabbitMQ, a PostgreSQL and a MariaDB:
//
//	with-servers go test ./...
//
// The command's environment names them in ACEMQ_TEST_AMQP_URL, ACEMQ_TEST_POSTGRES_URL and ACEMQ_TEST_MYSQL_DSN, and
// ACEMQ_TEST_SERVERS=required makes tests fail that find none. A server that a variable names already is taken as it is;
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

	"github.com/acemq/acemq-gen/internal/brokertest"
	"github.com/acemq/acemq-gen/internal/dbtest"
	"github.com/acemq/acemq-gen/internal/testserver"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "with-servers:", err)
	}
	os.Exit(code)
}

// kind is one kind of server, and the variable that names the one to use.
type kind struct {
	variable string
	start    func(context.Context) (server, error)
}

type server interface {
	URL() string
	Remove() error
}

var kinds = []kind{
	{brokertest.URLVariable, func(ctx context.Context) (server, error) { return brokertest.Start(ctx) }},
	{dbtest.PostgreSQL.Variable(), func(ctx context.Context) (server, error) { return dbtest.Start(ctx, dbtest.PostgreSQL) }},
	{dbtest.MariaDB.Variable(), func(ctx context.Context) (server, error) { return dbtest.Start(ctx, dbtest.MariaDB) }},
}

// run starts the servers, runs the command and returns its exit code, or 1 with the reason why it was not run.
func run(args []string) (int, error) {
	if len(args) == 0 {
		return 2, errors.New("say what to run: with-servers COMMAND [ARGUMENT...]")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	environment := append(os.Environ(), testserver.PolicyVariable+"="+testserver.Required)
	for _, k := range kinds {
		if os.Getenv(k.variable) != "" {
			continue
		}
		s, err := k.start(ctx)
		if err != nil {
			return 1, err
		}
		defer s.Remove()
		environment = append(environment, k.variable+"="+s.URL())
	}
	return execute(ctx, args, environment)
}

// execute runs a command and returns its exit code, or 1 with the reason why it was not run.
func execute(ctx context.Context, args, environment []string) (int, error) {
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
