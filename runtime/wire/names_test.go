package wire

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestNames is the "naming" part of the contract's fixtures. The row of 500 ms is that of Go, Python and Ruby: Java
// names such a rung otherwise, and no policy has one.
func TestNames(t *testing.T) {
	if got := DeadLetterQueue("orders.new"); got != "orders.new.dlq" {
		t.Errorf("dead letter queue: got %q", got)
	}
	if got := ParkedQueue("orders.new"); got != "orders.new.parked" {
		t.Errorf("parked queue: got %q", got)
	}
	tests := []struct {
		ms   int64
		want string
	}{
		{-1000, "orders.new.retry.0s"},
		{0, "orders.new.retry.0s"},
		{500, "orders.new.retry.0s"},
		{1000, "orders.new.retry.1s"},
		{30000, "orders.new.retry.30s"},
		{30500, "orders.new.retry.30s"},
		{59000, "orders.new.retry.59s"},
		{60000, "orders.new.retry.1m"},
		{60500, "orders.new.retry.1m"},
		{90000, "orders.new.retry.90s"},
		{300000, "orders.new.retry.5m"},
		{3600500, "orders.new.retry.1h"},
		{5400000, "orders.new.retry.90m"},
		{7200000, "orders.new.retry.2h"},
		{86400000, "orders.new.retry.24h"},
	}
	for _, test := range tests {
		if got := RungQueue("orders.new", time.Duration(test.ms)*time.Millisecond); got != test.want {
			t.Errorf("%d ms: got %q, want %q", test.ms, got, test.want)
		}
	}
}

// FuzzRungQueue reads the delay back off the name.
func FuzzRungQueue(f *testing.F) {
	for _, seconds := range []uint32{0, 1, 30, 59, 60, 61, 90, 300, 3599, 3600, 3660, 7200, 86400} {
		f.Add(seconds)
	}
	f.Fuzz(func(t *testing.T, seconds uint32) {
		name, found := strings.CutPrefix(RungQueue("q", time.Duration(seconds)*time.Second), "q.retry.")
		unit := map[byte]int64{'s': 1, 'm': 60, 'h': 3600}[name[len(name)-1]]
		n, err := strconv.ParseInt(name[:len(name)-1], 10, 64)
		if !found || err != nil || n*unit != int64(seconds) {
			t.Errorf("%d s: the name %q says %d times %d s", seconds, name, n, unit)
		}
		if larger := unit * 60; unit < 3600 && seconds > 0 && int64(seconds)%larger == 0 {
			t.Errorf("%d s: the name %q does not use the largest unit", seconds, name)
		}
	})
}

// TestRungArguments is the "rungArguments" part of the contract's fixtures.
func TestRungArguments(t *testing.T) {
	for _, ms := range []int64{500, 1000, 30000, 90000, 300000, 7200000} {
		got := RungArguments("orders.new", time.Duration(ms)*time.Millisecond)
		want := Table{
			"x-message-ttl":             ms,
			"x-dead-letter-exchange":    "acemq.retry",
			"x-dead-letter-routing-key": "orders.new",
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d ms: got %v, want %v", ms, got, want)
		}
	}
}

func TestQueueArguments(t *testing.T) {
	want := Table{"x-dead-letter-exchange": "acemq.dlx", "x-dead-letter-routing-key": "orders.new.dlq"}
	if got := DeadLetterArguments("orders.new"); !reflect.DeepEqual(got, want) {
		t.Errorf("source queue: got %v, want %v", got, want)
	}
	if got := SetAsideArguments(); got == nil || len(got) != 0 {
		t.Errorf("set-aside queue: got %v, want an empty table", got)
	}
}
