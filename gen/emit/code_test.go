package emit

import (
	"testing"
	"time"

	"github.com/acemq/acemq-gen/gen/model"
)

func TestDuration(t *testing.T) {
	flow := &model.Flow{}
	for d, want := range map[time.Duration]string{
		0:                       "0",
		time.Nanosecond:         "time.Nanosecond",
		1500 * time.Microsecond: "1500 * time.Microsecond",
		time.Second:             "time.Second",
		5 * time.Second:         "5 * time.Second",
		90 * time.Second:        "90 * time.Second",
		2 * time.Minute:         "2 * time.Minute",
		36 * time.Hour:          "36 * time.Hour",
	} {
		s := &source{flow: flow, imports: newImports(flow, planAliases(flow))}
		if got := s.duration(d).GoString(); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
		if s.imports.used[timePath] != (d != 0) {
			t.Errorf("%v: the import of time is %v", d, s.imports.used[timePath])
		}
	}
}

func TestSpoken(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Minute: "1m", time.Hour: "1h", 90 * time.Minute: "1h30m", 24 * time.Hour: "24h", 1500 * time.Millisecond: "1.5s",
		61 * time.Second: "1m1s", 10 * time.Minute: "10m", time.Hour + time.Second: "1h0m1s",
	} {
		if got := spoken(d); got != want {
			t.Errorf("%d ns is spoken %q, want %q", d, got, want)
		}
	}
}
