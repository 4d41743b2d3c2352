package brokertest

import (
	"os"
	"os/exec"
	"testing"
)

// Process starts the test binary again, as a process that the test may kill, with the given variables ("NAME=value")
// beside those of the test. It returns once the process has written something to its stdout. The stdin of the process
// ends with the test: one that waits for that ends with it, even where the test is killed itself.
func Process(t testing.TB, variables ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), variables...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	if _, err := stdout.Read(make([]byte, 1)); err != nil {
		t.Fatalf("the process ended before it worked: %v", err)
	}
	return cmd
}
