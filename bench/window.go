package main

import "time"

// pipelined sends the messages of a publishing shape with at most its window unanswered, waits for every answer, and
// measures the time from each send to its answer.
func pipelined[P any](s shape, send func(i int, at time.Time) (P, error), wait func(P) error) (sample, error) {
	type unanswered struct {
		pending P
		at      time.Time
	}
	window := make([]unanswered, s.window)
	latencies := make([]time.Duration, 0, s.messages)
	settle := func() error {
		first := window[len(latencies)%s.window]
		if err := wait(first.pending); err != nil {
			return err
		}
		latencies = append(latencies, time.Since(first.at))
		return nil
	}
	m := newMeter()
	for i := range s.messages {
		if i-len(latencies) == s.window {
			if err := settle(); err != nil {
				return sample{}, err
			}
		}
		at := time.Now()
		pending, err := send(i, at)
		if err != nil {
			return sample{}, err
		}
		window[i%s.window] = unanswered{pending, at}
	}
	for len(latencies) < s.messages {
		if err := settle(); err != nil {
			return sample{}, err
		}
	}
	return m.end(latencies), nil
}
