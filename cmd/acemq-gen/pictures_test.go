package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPicturesPage holds docs/pictures.md against what the commands print for the flow in it.
func TestPicturesPage(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(root, "docs", "pictures.md")
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	if err := module(".", root); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("flow.go", []byte(block(t, string(page), "```go\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for opening, args := range map[string]string{
		"```mermaid\n": "graph",
		"```\n$ acemq-gen explain billing.orders\n": "explain billing.orders",
	} {
		var stdout, stderr bytes.Buffer
		if code := run(strings.Fields(args), &stdout, &stderr); code != exitOK {
			t.Fatalf("acemq-gen %s exits with %d: %s", args, code, &stderr)
		}
		text = strings.Replace(text, opening+block(t, text, opening)+"```\n", opening+stdout.String()+"```\n", 1)
	}
	switch {
	case text == string(page):
	case *update:
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("docs/pictures.md is out of date: run the test with -update")
	}
}

// block returns what stands between the opening of a code block and its end.
func block(t *testing.T, page, opening string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, opening)
	if !found {
		t.Fatalf("there is no %q", opening)
	}
	text, _, _ := strings.Cut(rest, "```\n")
	return text
}
