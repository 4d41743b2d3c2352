package wire

import (
	"testing"
	"time"
)

// BenchmarkHeaders is the part of a publish that this package does.
func BenchmarkHeaders(b *testing.B) {
	e := Envelope{
		ID: "11111111-2222-3333-4444-555555555555", Type: "order.placed", Version: 1, Origin: "orders@host-7",
		Correlation: "corr-1", Attempt: 1, FirstSeen: time.UnixMilli(1767323045678),
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NormalHeaders(e.Headers(nil), MaxHeaders); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadEnvelope is the part of a delivery that this package does.
func BenchmarkReadEnvelope(b *testing.B) {
	headers := Envelope{
		ID: "11111111-2222-3333-4444-555555555555", Type: "order.placed", Version: 1, Origin: "orders@host-7",
		Correlation: "corr-1", Attempt: 1, FirstSeen: time.UnixMilli(1767323045678),
	}.Headers(nil)
	b.ReportAllocs()
	for b.Loop() {
		if e := ReadEnvelope(headers, Arrival{}); e.Attempt != 1 {
			b.Fatal(e)
		}
	}
}
