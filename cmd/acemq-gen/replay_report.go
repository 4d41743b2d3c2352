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
		if err := p.line(describe(m, time.Now())); err != nil {
			return p.fail("%v", err)
		}
		if n++; n == o.limit {
			break
		}
	}
	into, _ := messages.Into()
	if err := p.line(previewed{pending, n, into}); err != nil {
		return p.fail("%v", err)
	}
	return exitOK
}

// previewed is what a replay would do.
type previewed struct {
	Pending  int    `json:"pending"`  // in the queue
	Matching int    `json:"matching"` // of them, up to the limit
	Into     string `json:"into"`
}

// String says it to people.
func (p previewed) String() string {
	return fmt.Sprintf("%d of %s would be moved into %s; nothing was.", p.Matching, count(p.Pending), p.Into)
}

// setAside is what a message is and why it was set aside.
type setAside struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	FirstSeen time.Time `json:"firstSeen"`
	Attempt   int       `json:"attempt"`
	Replayed  int       `json:"replayed"` // how often
	Error     string    `json:"error"`
	age       time.Duration
}

func describe(m *acemq.Message[[]byte], now time.Time) setAside {
	e := m.Envelope
	return setAside{e.ID, e.Type, e.FirstSeen, e.Attempt, wire.ReadReplayed(m.WireHeaders()).Count, e.Error, e.Age(now)}
}

// String says it in one line.
func (s setAside) String() string {
	line := fmt.Sprintf("%s  %s  %v old  attempt %d", oneLine(s.ID), oneLine(s.Type),
		max(s.age, 0).Round(time.Second), s.Attempt)
	if s.Replayed > 0 {
		line += fmt.Sprintf("  replayed %d times", s.Replayed)
	}
	return line + "  " + cmp.Or(oneLine(s.Error), "(no error is said)")
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

// replayed is what a replay did.
type replayed struct {
	Pending int           `json:"pending"` // when it began
	Moved   int           `json:"moved"`
	Skipped int           `json:"skipped"`
	From    string        `json:"from"`
	Into    string        `json:"into"`
	Stopped replay.Reason `json:"stopped"`
}

// String says it to people.
func (r replayed) String() string {
	if r.Pending == 0 {
		return r.From + " is empty: there is nothing to move."
	}
	text := fmt.Sprintf("%s moved from %s into %s.", count(r.Moved), r.From, r.Into)
	if r.Skipped > 0 {
		text += fmt.Sprintf(" %s did not match.", count(r.Skipped))
	}
	switch r.Stopped {
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
