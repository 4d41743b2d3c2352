package load

import (
	"os/exec"
	"testing"

	"github.com/acemq/acemq-gen/gen/load/loadtest"
)

// The two benchmarks compare a load of this repository with what the go command alone takes for the same packages.

func BenchmarkLoad(b *testing.B) {
	root := loadtest.Root(b)
	for b.Loop() {
		if _, err := Load(b.Context(), Config{Dir: root, Patterns: []string{"./runtime/..."}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGoList(b *testing.B) {
	root := loadtest.Root(b)
	for b.Loop() {
		list := exec.CommandContext(b.Context(), "go", "list", "-export", "-deps", "./runtime/...")
		list.Dir = root
		if out, err := list.CombinedOutput(); err != nil {
			b.Fatalf("go list: %v\n%s", err, out)
		}
	}
}
