// Command orders runs the order flow of package orders: it reads orders, takes each through the checkout into a
// database, bills it, books the bill, and packs and ships what was paid. At the end it counts, in the queues, what became
// of every one.
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
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// settings are what the command line says.
type settings struct {
	path    string   // of the file of orders, empty for the sample
	url     string   // of the broker
	db      string   // the database, empty for one that is removed in the end
	closed  []string // countries that no courier goes to
	resume  bool     // sell nothing, and work off what waits in the queues
	timeout time.Duration
}

// run is the program: 0 when every order is settled, 1 with one line on stderr when not.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("orders", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var s settings
	flags.StringVar(&s.path, "orders", "", "file of orders, a JSON object a line; without it, a sample of 36 orders")
	flags.StringVar(&s.url, "url", "memory://orders", "broker: memory://NAME, amqp://… or amqps://…")
	flags.StringVar(&s.db, "db", "", "database: a SQLite file or postgres://…; without it, one that is removed in the end")
	flags.DurationVar(&s.timeout, "timeout", 5*time.Minute, "longest time to wait until all orders are settled")
	closed := flags.String("closed", "", "countries that no courier goes to, with commas; for the sample, "+sampleClosed)
	flags.BoolVar(&s.resume, "resume", false, "sell nothing: work off what waits in the queues, after a replay for one")
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
	if err == nil && s.timeout <= 0 {
		err = fmt.Errorf("-timeout %v: say a time above 0", s.timeout)
	}
	if err == nil && s.resume && s.path != "" {
		err = errors.New("-resume sells nothing: leave -orders out")
	}
	s.closed = closedCountries(s, *closed)
	log := slog.New(slog.DiscardHandler)
	if *verbose {
		log = slog.New(slog.NewTextHandler(stderr, nil))
	}
	if err == nil {
		err = serve(ctx, s, log, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "orders:", strings.Join(strings.Fields(err.Error()), " "))
		return 1
	}
	return 0
}

// sampleClosed is where no courier goes while the sample is sold.
const sampleClosed = "Norway"

// closedCountries returns the countries that no courier goes to: those that are named, or those of the sample.
func closedCountries(s settings, named string) []string {
	if named == "" && s.path == "" && !s.resume {
		named = sampleClosed
	}
	var closed []string
	for country := range strings.SplitSeq(named, ",") {
		closed = append(closed, strings.TrimSpace(country))
	}
	return closed
}
