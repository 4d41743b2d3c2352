package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/replay"
)

var replayCommand = command{
	name:  "replay",
	args:  "queue",
	short: "put dead letters back into their queue",
	help: `
Puts messages that were set aside back into the queue that they were meant for: those of billing.orders.dlq,
billing.orders.parked or billing.orders.dead into billing.orders. For example:

  acemq-gen replay -url amqp://host -dry-run billing.orders.dlq    show what would be moved, and why it is there
  acemq-gen replay -url amqp://host -limit 10 billing.orders.dlq   move ten, to see whether they are handled this time
  acemq-gen replay -url amqp://host billing.orders.dlq             move the others

It asks nothing and loses nothing. A message leaves its queue when the broker has confirmed that its copy is in the
other one; what is not moved stays where it is. Interrupt it when you like, and run it again: it goes on with the rest.
Where the broker or the network fails, a message may be moved twice, under the same id.

With -json it prints an object a line: one for each message that -dry-run shows, and one for the whole.

It moves what waits when it begins, the oldest first. With -type, -header, -error, -older, -newer or -id it moves only
the messages for which all of them hold. A moved message begins with attempt 1 and is marked as replayed.

Exit code: 0 done, or there was nothing to do; 1 it stopped before the end; 2 wrong use, or the broker or a queue cannot
be reached.`,
	flags: func(flags *flag.FlagSet) action {
		o := newReplayOptions(flags)
		return func(p process, args []string) int { return replayQueue(p, o, args) }
	},
}

// replayOptions are what the flags say.
type replayOptions struct {
	url          string
	into         string
	limit        int
	dryRun       bool
	keepAttempts bool
	filter       replayFilter
}

func newReplayOptions(flags *flag.FlagSet) *replayOptions {
	o := &replayOptions{}
	flags.StringVar(&o.url, "url", os.Getenv("ACEMQ_URL"),
		"the broker, amqp://user:password@host/vhost or amqps://…; the default is that of the environment, $ACEMQ_URL")
	flags.StringVar(&o.into, "into", "", "the queue to move to; the default is the one that the other is named after")
	flags.IntVar(&o.limit, "limit", 0, "move so many messages at most; the default is all")
	flags.BoolVar(&o.dryRun, "dry-run", false, "show what would be moved, and move nothing")
	flags.BoolVar(&o.keepAttempts, "keep-attempts", false, "leave the attempt and the error on the messages")
	o.filter.define(flags)
	return o
}

// check says what is wrong with the flags and the arguments.
func (o *replayOptions) check(args []string) error {
	switch {
	case len(args) != 1:
		return fmt.Errorf("replay takes one queue, billing.orders.dlq for one, and was given %d", len(args))
	case o.url == "":
		return errors.New("the broker is not said: use -url amqp://user:password@host/vhost, or set ACEMQ_URL")
	case o.limit < 0:
		return fmt.Errorf("a limit of %d: say how many messages to move, or leave -limit out for all", o.limit)
	}
	return o.filter.check()
}

// replayQueue is the command.
func replayQueue(p process, o *replayOptions, args []string) int {
	if err := o.check(args); err != nil {
		return p.fail("%v; see: acemq-gen replay -h", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	conn, err := acemq.Dial(ctx, o.url, acemq.WithService("acemq-gen"), acemq.WithLogger(log))
	if err != nil {
		return p.fail("%s", plain(err))
	}
	defer conn.Close(context.Background())
	return replayOn(ctx, p, o, conn, args[0])
}

// replayOn replays on a connection.
func replayOn(ctx context.Context, p process, o *replayOptions, conn *acemq.Conn, from string) int {
	progress := newReplayProgress(p.stderr)
	options := []replay.Option{replay.Into(o.into), replay.OnProgress(progress.show)}
	if o.keepAttempts {
		options = append(options, replay.KeepingAttempts())
	}
	messages := replay.New(conn, from, options...).Where(o.filter.matches)
	into, err := messages.Into()
	if err == nil {
		progress.pending, err = messages.Pending(ctx)
	}
	if err == nil {
		_, err = conn.Inspect(ctx, into)
	}
	switch {
	case err != nil:
		return p.fail("%s", plain(err))
	case progress.pending == 0:
		return replayEnded(p, replayed{From: from, Into: into, Stopped: replay.Drained}, nil)
	case o.dryRun:
		return previewReplay(ctx, p, o, messages, progress.pending)
	}
	result, err := move(ctx, messages, o.limit)
	return replayEnded(p, replayed{
		progress.pending, result.Moved, result.Skipped, result.From, result.Into, result.Stopped,
	}, err)
}

// replayEnded tells what a replay did, and why it stopped before the end if it did.
func replayEnded(p process, did replayed, err error) int {
	if err := p.line(did); err != nil {
		return p.fail("%v", err)
	}
	if err != nil {
		p.fail("%s", plain(err))
		return exitFailed
	}
	return exitOK
}

func move(ctx context.Context, messages *replay.Replay[[]byte], limit int) (replay.Result, error) {
	if limit == 0 {
		return messages.All(ctx)
	}
	return messages.First(ctx, limit)
}
