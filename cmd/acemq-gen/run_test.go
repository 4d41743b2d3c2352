package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadme holds README.md against the table of commands.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands()[1:] {
		if !strings.Contains(string(text), "| `acemq-gen "+c.name) {
			t.Errorf("README.md does not list %s", c.call())
		}
	}
}

// TestExitCodes runs commands one after another in a package whose flow changes between them.
func TestExitCodes(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	const (
		header = "package shop\n\nimport \"github.com/acemq/acemq-gen/runtime/flow\"\n\n" +
			"//acemq:message\ntype Order struct{}\n\n"
		right   = header + "var Orders = flow.Consume[Order](\"orders\")\n"
		changed = header + "var Orders = flow.Consume[Order](\"orders.eu\")\n"
		wrong   = header + "var Orders = flow.Consume[Order](\"\")\n"
	)
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	if err := module(".", root); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		flow string
		args string
		want int
	}{
		{right, "check", exitFailed},
		{right, "diff", exitFailed},
		{right, "", exitOK},
		{right, "check", exitOK},
		{right, "diff", exitOK},
		{changed, "check", exitFailed},
		{changed, "diff .", exitFailed},
		{wrong, "", exitFailed},
		{wrong, "check", exitMisuse},
		{wrong, "check -json", exitMisuse},
		{wrong, "diff", exitMisuse},
		{right, "check", exitOK},
		{right, "-json", exitOK},
		{right, "-nothing", exitMisuse},
		{right, "chekc", exitMisuse},
		{right, "-h", exitOK},
		{right, "diff --help", exitOK},
		{right, "explain", exitOK},
		{right, "explain ACE0101", exitOK},
		{right, "explain ACE9999", exitMisuse},
		{right, "explain orders.dlq", exitOK},
		{right, "explain ordres", exitMisuse},
		{wrong, "explain orders", exitMisuse},
		{right, "graph", exitOK},
		{right, "graph -format dto", exitMisuse},
		{wrong, "graph", exitMisuse},
		{right, "docs .", exitOK},
		{wrong, "docs", exitMisuse},
		{right, "asyncapi", exitOK},
		{right, "asyncapi -format jsno", exitMisuse},
		{wrong, "asyncapi", exitMisuse},
		{right, "init", exitMisuse},
		{right, "export", exitOK},
		{wrong, "export", exitMisuse},
		{right, "plan -url amqp://127.0.0.1:1/", exitMisuse},
		{wrong, "plan -url amqp://127.0.0.1:1/", exitMisuse},
		{right, "version", exitOK},
	} {
		if err := os.WriteFile("flow.go", []byte(step.flow), 0o666); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		if got := run(strings.Fields(step.args), &stdout, &stderr); got != step.want {
			t.Errorf("acemq-gen %s exits with %d, want %d\n%s%s", step.args, got, step.want, &stdout, &stderr)
		}
	}
}
