package main

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// sample is what one run measured.
type sample struct {
	perSecond      float64
	p50, p99, p999 time.Duration // from publish to confirm, or from one delivery to the next
	cpu            float64       // µs a message, this process alone
	allocs         float64       // a message
}

func (s sample) latency() string {
	return fmt.Sprintf("%d/%d/%d", s.p50.Microseconds(), s.p99.Microseconds(), s.p999.Microseconds())
}

// meter measures a run from its making to its end.
type meter struct {
	start  time.Time
	cpu    time.Duration
	allocs uint64
}

func newMeter() meter {
	runtime.GC()
	return meter{cpu: cpuTime(), allocs: mallocs(), start: time.Now()}
}

// end returns the sample of a run of as many messages as there are latencies.
func (m meter) end(latencies []time.Duration) sample {
	elapsed := time.Since(m.start)
	n := float64(len(latencies))
	slices.Sort(latencies)
	at := func(part float64) time.Duration { return latencies[int(part*(n-1))] }
	return sample{
		perSecond: n / elapsed.Seconds(),
		p50:       at(0.5), p99: at(0.99), p999: at(0.999),
		cpu:    float64((cpuTime() - m.cpu).Microseconds()) / n,
		allocs: float64(mallocs()-m.allocs) / n,
	}
}

// cpuTime is the time that this process has spent on a processor.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// median returns the sample with the middle speed.
func median(samples []sample) sample {
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.perSecond, b.perSecond) })
	return samples[len(samples)/2]
}
