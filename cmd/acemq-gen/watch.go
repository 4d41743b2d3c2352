package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/watch"
	"github.com/acemq/acemq-gen/gen/write"
)

var watchCommand = command{
	name:  "watch",
	args:  "[packages]",
	short: "generate whenever a file is saved",
	help: `
Generates at once, and again whenever a file is saved that the code is made of: a Go file of the packages, or of one
that they import from a module on this machine, go.mod, or the schema of a message. Packages that appear are seen.

It says what it has written and what is wrong with the flow, and nothing where a save changes neither. With -json it
prints an array each time that there is something else to say of the flow. Interrupt it to end it.

Exit code: 0 interrupted, 2 wrong use, or files cannot be watched.`,
	flags: func(*flag.FlagSet) action { return keepGenerating },
}

func keepGenerating(p process, patterns []string) int {
	if err := packagesOnly(patterns); err != nil {
		return p.fail("%v", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	watcher, err := watch.New(ctx, load.Config{Patterns: patterns})
	if err == nil {
		defer watcher.Close()
		fmt.Fprintln(p.stderr, "acemq-gen: watching; interrupt to end")
		err = (&watched{process: p, patterns: patterns}).keep(ctx, watcher)
	}
	if err != nil && ctx.Err() == nil {
		return p.fail("%v", err)
	}
	return exitOK
}

// watched is packages whose code is kept up to date.
type watched struct {
	process
	patterns []string
	wrong    string // what was said last of what is wrong
}

// keep generates until ctx is done.
func (w *watched) keep(ctx context.Context, watcher *watch.Watcher) error {
	for {
		done, err := w.generate(ctx)
		if err == nil {
			err = watcher.Look(ctx, done)
		}
		if err == nil {
			err = watcher.Wait(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// generate generates once. It says what it has written, and what is wrong where that is something else than before.
func (w *watched) generate(ctx context.Context) (write.Plan, error) {
	var stdout, stderr, notes bytes.Buffer
	run := w.again(&stdout, &stderr)
	run.notes = &notes
	began := time.Now()
	done, _ := carryOut(ctx, run, w.patterns)
	if err := run.close(); err != nil || done == nil && ctx.Err() != nil {
		return nil, cmp.Or(err, ctx.Err())
	}
	if wrong := stdout.String() + stderr.String(); wrong != w.wrong {
		w.stdout.Write(stdout.Bytes())
		w.stderr.Write(stderr.Bytes())
		if wrong == "" {
			fmt.Fprintln(w.stderr, "acemq-gen: nothing is wrong any more")
		}
		w.wrong = wrong
	}
	w.notes.Write(notes.Bytes())
	if len(done.Changes()) > 0 {
		fmt.Fprintf(w.stderr, "acemq-gen: generated in %v\n", time.Since(began).Round(time.Millisecond))
	}
	return done, nil
}
