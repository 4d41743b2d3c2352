// Command orders runs the order flow of package orders: it reads orders, announces each, bills them, audits what
// happens, and counts at the end, in the queues, what became of every one.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program: 0 when every order is settled, 1 with one line on stderr when not.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("orders", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	path := flags.String("orders", "", "file of orders, a JSON object a line; without it, a sample of 36 orders")
	url := flags.String("url", "memory://orders", "broker: memory://NAME, amqp://… or amqps://…")
	timeout := flags.Duration("timeout", 2*time.Minute, "longest time to wait until all orders are settled")
	verbose := flags.Bool("v", false, "log what the runtime does to stderr")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return 0
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("%q is not a flag: name the file with -orders", flags.Arg(0))
	}
	if err == nil && *timeout <= 0 {
		err = fmt.Errorf("-timeout %v: say a time above 0", *timeout)
	}
	log := slog.New(slog.DiscardHandler)
	if *verbose {
		log = slog.New(slog.NewTextHandler(stderr, nil))
	}
	if err == nil {
		err = serve(ctx, *path, *url, *timeout, log, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "orders:", err)
		return 1
	}
	return 0
}
