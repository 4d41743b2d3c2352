package acemq

import (
	"context"
	"log/slog"
)

// LogObserver returns an observer that logs each event: at debug level what went well, as warnings and errors what did
// not ([Event.Level]). The connection itself logs failures to its own logger, so a logger of its own is best given.
// Bodies are never logged. A nil logger is [slog.Default].
func LogObserver(logger *slog.Logger) Observer {
	if logger == nil {
		logger = slog.Default()
	}
	return logObserver{logger}
}

type logObserver struct{ logger *slog.Logger }

// Observe implements Observer.
func (o logObserver) Observe(ctx context.Context, e Event) {
	if level := e.Level(); o.logger.Enabled(ctx, level) {
		o.logger.LogAttrs(ctx, level, e.Name, e.attributes()...)
	}
}

// attributes returns the fields that say something.
func (e Event) attributes() []slog.Attr {
	attrs := make([]slog.Attr, 0, 12)
	for _, text := range []Tag{
		{"outcome", e.Outcome},
		{"exchange", e.Exchange},
		{"key", e.RoutingKey},
		{"queue", e.Queue},
		{"target", e.Target},
		{"pipeline", e.Pipeline},
		{"saga", e.Saga},
		{"step", e.Step},
		{"id", e.ID},
		{"type", e.Type},
		{"correlation", e.Correlation},
	} {
		if text.Value != "" {
			attrs = append(attrs, slog.String(text.Key, text.Value))
		}
	}
	if e.Attempt > 0 {
		attrs = append(attrs, slog.Int("attempt", e.Attempt))
	}
	if e.Duration > 0 {
		attrs = append(attrs, slog.Duration("duration", e.Duration))
	}
	if e.Delay > 0 {
		attrs = append(attrs, slog.Duration("delay", e.Delay))
	}
	if e.Err != nil {
		attrs = append(attrs, slog.Any("error", e.Err))
	}
	return attrs
}
