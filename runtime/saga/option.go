package saga

import (
	"log/slog"
	"time"
)

// Option changes how a run goes.
type Option func(*settings)

type settings struct {
	logger     *slog.Logger
	observe    func(Event)
	undoWithin time.Duration // 0 is for ever
}

// WithLogger sets where the run reports what it undoes, as warnings, and what it could not undo, as errors. The default
// is [slog.Default]; nil reports nothing.
func WithLogger(logger *slog.Logger) Option { return func(s *settings) { s.logger = logger } }

// WithObserver has observe called with each event of the run, from the goroutine of the run. nil is nobody.
func WithObserver(observe func(Event)) Option { return func(s *settings) { s.observe = observe } }

// UndoWithin bounds the context of each Undo. By default it does not end: an Undo that has to give up leaves an action
// unresolved. 0 or less is the default.
func UndoWithin(d time.Duration) Option { return func(s *settings) { s.undoWithin = d } }
