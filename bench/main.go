// Command bench compares the runtime with amqp091-go written well by hand, on one broker, in one run, interleaved,
// and acemq-gen with `go list -export -deps`. Every confirm is awaited and every message counted. On a machine whose
// cores the broker shares, only the ratios mean something.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"time"
)

func main() {
	messages := flag.Int("messages", 20_000, "messages a pipelined publishing or consuming run; one at a time takes a tenth")
	rounds := flag.Int("rounds", 9, "rounds of each shape; the median is printed")
	only := flag.String("only", "", "run the shapes whose name has this in it")
	profile := flag.String("cpuprofile", "", "write a CPU profile of the whole run to this file")
	flag.Parse()

	url := os.Getenv("ACEMQ_TEST_AMQP_URL")
	if url == "" {
		fmt.Fprintln(os.Stderr, "bench: ACEMQ_TEST_AMQP_URL names no broker: run `make bench`, which starts one")
		os.Exit(1)
	}
	err := profiled(*profile, func() error { return run(context.Background(), url, *messages, *rounds, *only) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// profiled runs f under a CPU profile that goes to path, or without one where path is empty.
func profiled(path string, f func() error) error {
	if path == "" {
		return f()
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return f()
}

func run(ctx context.Context, url string, messages, rounds int, only string) error {
	fmt.Printf("%-40s %22s %31s %21s %21s\n", "", "messages a second", "latency µs p50/p99/p99.9", "CPU µs a message", "allocations a message")
	fmt.Printf("%-40s %8s %8s %5s %15s %15s %8s %8s %8s %8s\n", "shape", "raw", "ours", "ratio", "raw", "ours", "raw", "ours", "raw", "ours")
	for _, s := range shapes(messages) {
		if !s.matches(only) {
			continue
		}
		if err := compare(ctx, url, s, rounds); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if only == "" || only == "outbox" {
		if err := compareOutbox(ctx, url, messages/4, rounds); err != nil {
			return fmt.Errorf("outbox: %w", err)
		}
	}
	if only == "" || only == "generate" {
		return compareGenerator(ctx, rounds)
	}
	return nil
}

// compare runs one shape, raw and ours in turn, and prints the medians.
func compare(ctx context.Context, url string, s shape, rounds int) error {
	contenders := []func(context.Context, string, shape) (sample, error){raw, ours}
	samples := make([][]sample, len(contenders))
	for range rounds {
		for i, contend := range contenders {
			bounded, cancel := context.WithTimeout(ctx, 2*time.Minute)
			one, err := contend(bounded, url, s)
			cancel()
			if err != nil {
				return err
			}
			samples[i] = append(samples[i], one)
		}
	}
	r, o := median(samples[0]), median(samples[1])
	fmt.Printf("%-40s %8.0f %8.0f %5.2f %15s %15s %8.1f %8.1f %8.0f %8.0f\n", s.name,
		r.perSecond, o.perSecond, o.perSecond/r.perSecond, r.latency(), o.latency(), r.cpu, o.cpu, r.allocs, o.allocs)
	return nil
}
