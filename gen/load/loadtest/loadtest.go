// Package loadtest writes the Go modules that the generator's tests load.
package loadtest

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// Module writes the files of a txtar archive into a directory of the test's and returns it. Without a go.mod among
// them it is the module example.com/shop, which requires this repository.
func Module(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	root := Root(t)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.sum", sums)
	write(t, dir, "go.mod", []byte("module example.com/shop\n\ngo 1.26.0\n\nrequire github.com/acemq/acemq-gen v0.0.0\n\n"+
		"replace github.com/acemq/acemq-gen => "+filepath.ToSlash(root)+"\n"))
	for _, file := range txtar.Parse([]byte(archive)).Files {
		write(t, dir, file.Name, file.Data)
	}
	return dir
}

// Root returns the root of this repository.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

func write(t testing.TB, dir, name string, content []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
