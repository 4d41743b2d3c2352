package model

import (
	"testing"
	"time"
)

func TestSpoken(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Minute: "1m", time.Hour: "1h", 90 * time.Minute: "1h30m", 24 * time.Hour: "24h", 1500 * time.Millisecond: "1.5s",
		61 * time.Second: "1m1s", 10 * time.Minute: "10m", time.Hour + time.Second: "1h0m1s",
	} {
		if got := Spoken(d); got != want {
			t.Errorf("%d ns is spoken %q, want %q", d, got, want)
		}
	}
}
