package main

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestEveryCommandTellsInJSON uses each command wrongly: with -json that is an array on stdout, whatever the command.
func TestEveryCommandTellsInJSON(t *testing.T) {
	for _, c := range commands() {
		args := []string{c.name, "-json", "-wrong"}
		if c.name == "" {
			args = args[1:]
		}
		var stdout, stderr bytes.Buffer
		if code := run(args, &stdout, &stderr); code != exitMisuse || stderr.Len() > 0 {
			t.Errorf("%s -json: exit code %d, and on stderr\n%s", c.call(), code, &stderr)
		}
		var told []struct{ Message string }
		if err := json.Unmarshal(stdout.Bytes(), &told); err != nil {
			t.Errorf("%s -json: %v:\n%s", c.call(), err, &stdout)
		}
		want := "flag provided but not defined: -wrong; see: " + c.call() + " -h"
		if len(told) != 1 || told[0].Message != want {
			t.Errorf("%s -json tells %q, want %q", c.call(), told, want)
		}
	}
}
