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
