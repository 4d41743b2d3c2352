package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/replay"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// replayProgress says from time to time how far a replay is.
type replayProgress struct {
	out     io.Writer
	pending int // when it began
	last    time.Time
}

// progressEvery is the time between two lines about the progress.
const progressEvery = 2 * time.Second

func newReplayProgress(out io.Writer) *replayProgress {
	return &replayProgress{out: out, last: time.Now()}
}

func (p *replayProgress) show(so replay.Result) {
	if time.Since(p.last) < progressEvery {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.out, "%d of %s seen, %d moved\n", so.Moved+so.Skipped, count(p.pending), so.Moved)
}

// previewReplay shows what would be moved.
func previewReplay(ctx context.Context, p process, o *replayOptions, messages *replay.Replay[[]byte], pending int) int {
	n := 0
	for m, err := range messages.Matching(ctx) {
		if err != nil {
			return p.fail("%s", plain(err))
		}
		fmt.Fprintln(p.stdout, describe(m, time.Now()))
		if n++; n == o.limit {
			break
		}
	}
	into, _ := messages.Into()
	fmt.Fprintf(p.stdout, "%d of %s would be moved into %s; nothing was.\n", n, count(pending), into)
	return exitOK
}

// describe says in one line what a message is and why it was set aside.
func describe(m *acemq.Message[[]byte], now time.Time) string {
	line := fmt.Sprintf("%s  %s  %v old  attempt %d", oneLine(m.Envelope.ID), oneLine(m.Envelope.Type),
		max(m.Envelope.Age(now), 0).Round(time.Second), m.Envelope.Attempt)
	if n := wire.ReadReplayed(m.WireHeaders()).Count; n > 0 {
		line += fmt.Sprintf("  replayed %d times", n)
	}
	return line + "  " + cmp.Or(oneLine(m.Envelope.Error), "(no error is said)")
}

// oneLine shortens a text to what fits into a line, without anything that a terminal would act on.
func oneLine(text string) string {
	const most = 120
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}

// moved says what a replay did.
func moved(result replay.Result) string {
	text := fmt.Sprintf("%s moved from %s into %s.", count(result.Moved), result.From, result.Into)
	if result.Skipped > 0 {
		text += fmt.Sprintf(" %s did not match.", count(result.Skipped))
	}
	switch result.Stopped {
	case replay.Drained:
	case replay.Limit:
		text += " That was the limit."
	case replay.Cancelled:
		text += " It was interrupted: what was not moved is where it was."
	default:
		text += " It stopped before the end: what was not moved is where it was."
	}
	return text
}

// plain says what an error of the runtime says to those who do not know its packages.
func plain(err error) string {
	if missing := new(acemq.NotFoundError); errors.As(err, &missing) {
		return missing.Error()
	}
	return strings.TrimPrefix(err.Error(), "acemq: ")
}

// count says a number of messages.
func count(n int) string {
	if n == 1 {
		return "1 message"
	}
	return fmt.Sprintf("%d messages", n)
}
