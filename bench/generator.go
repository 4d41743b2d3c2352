package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const example = "./orders"

// compareGenerator times acemq-gen and `go list -export -deps` on the package of the order example, in turn.
func compareGenerator(ctx context.Context, rounds int) error {
	dir, err := os.MkdirTemp("", "acemq-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	generator := filepath.Join(dir, "acemq-gen")
	if err := command(ctx, ".", "go", "build", "-o", generator, "./cmd/acemq-gen"); err != nil {
		return err
	}
	contenders := [][]string{{"go", "list", "-export", "-deps", example}, {generator, example}}
	samples := make([][]sample, len(contenders))
	for range rounds * 4 {
		for i, args := range contenders {
			start := time.Now()
			if err := command(ctx, "examples/orders", args...); err != nil {
				return err
			}
			elapsed := time.Since(start)
			samples[i] = append(samples[i], sample{perSecond: 1 / elapsed.Seconds(), p50: elapsed})
		}
	}
	list, generate := median(samples[0]).p50, median(samples[1]).p50
	fmt.Printf("\ngenerate: go list -export -deps %v, acemq-gen %v, ratio %.2f\n",
		list.Round(time.Millisecond), generate.Round(time.Millisecond), generate.Seconds()/list.Seconds())
	return nil
}

func command(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	return cmd.Run()
}
