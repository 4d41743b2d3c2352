package main

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acemq/acemq-gen/gen/diag"
)

// shellTests are programs of shells that load the script at $SCRIPT, complete the words that are their arguments, and
// print what the last of them may become, one a line.
var shellTests = map[string]string{
	"bash": `source "$SCRIPT"
[[ $(complete -p acemq-gen) == *'-o default -F _acemq_gen acemq-gen' ]] || exit 1
COMP_WORDS=(acemq-gen "$@"); COMP_CWORD=$#
_acemq_gen
for word in "${COMPREPLY[@]}"; do printf '%s\n' "$word"; done`,
	// A completion of zsh lives in its line editor: its functions stand in for that.
	"zsh": `compdef() { [[ "$*" == '_acemq_gen acemq-gen' ]] || exit 1 }
_describe() { print -rl -- ${(@)${(@P)2}%%:*} }
_files() { }
source "$SCRIPT"
words=(acemq-gen "$@"); CURRENT=$#words
_acemq_gen`,
	"fish": `source $SCRIPT
complete -C "acemq-gen $argv" | cut -f 1`,
}

// complete asks a shell.
func complete(t *testing.T, shell, script string, words ...string) []string {
	t.Helper()
	command := exec.Command(shell, slices.Concat(map[string][]string{
		"bash": {"--norc", "-c", shellTests[shell], shell},
		"zsh":  {"-f", "-c", shellTests[shell], shell},
		"fish": {"--no-config", "-c", shellTests[shell]},
	}[shell], words)...)
	command.Env = append(os.Environ(), "SCRIPT="+script)
	command.Dir = filepath.Dir(script)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%s completes %q: %v\n%s", shell, words, err, &stderr)
	}
	return slices.Sorted(slices.Values(strings.Fields(string(out))))
}

// TestCompletion completes, in each shell that is installed, every command, its flags, and the values of those that have
// a few: as the table of commands has them.
func TestCompletion(t *testing.T) {
	var names, codes []string
	for _, c := range commands()[1:] {
		names = append(names, c.name)
		if c.short == "" {
			t.Errorf("%s does not say in short what it does", c.name)
		}
	}
	for _, code := range diag.Codes() {
		codes = append(codes, string(code))
	}
	slices.Sort(names)
	for shell := range maps.Keys(shellTests) {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip(err)
			}
			script := script(t, shell)
			want := func(want []string, words ...string) {
				t.Helper()
				if got := complete(t, shell, script, words...); !slices.Equal(got, want) {
					t.Errorf("%q is completed with %q, want %q", words, got, want)
				}
			}
			want(names, "")
			want([]string{"graph"}, "grap")
			want(codes, "explain", "")
			want(shells(), "completion", "")
			for _, c := range commands() {
				words := strings.Fields(c.name)
				flags, _ := c.parser()
				want(flagsOf(flags), append(words, "-")...)
				flags.VisitAll(func(f *flag.Flag) {
					if values := valuesOf(f); values != nil {
						want(values, append(words, "-"+f.Name, "")...)
					}
				})
			}
		})
	}
}

// script writes the script for a shell.
func script(t *testing.T, shell string) string {
	t.Helper()
	out, err := exec.Command("acemq-gen", "completion", shell).Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), shell)
	if err := os.WriteFile(path, out, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func flagsOf(flags *flag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
	return names
}

// Bash splits a word at "=", and a flag's value, a switch and an argument decide what may follow.
func TestSuggestions(t *testing.T) {
	for _, test := range []struct{ words, want string }{
		{"graph -format = s", "svg"},
		{"graph -format =", "dot mermaid svg"},
		{"graph -format=s", "-format=svg"},
		{"graph -format svg -f", "-format"},
		{"graph -o s", ""},
		{"graph -o -format s", ""},
		{"graph -json -format s", "svg"},
		{"graph --format s", "svg"},
		{"graph ./orders -f", ""},
		{"graph -nothing -o -form", ""},
		{"./orders che", ""},
		{"-json che", ""},
		{"explain ACE0309", "ACE0309"},
		{"explain ACE0309 ACE", ""},
		{"check ./ord", ""},
	} {
		var got []string
		for _, s := range suggestions(strings.Fields(test.words)) {
			got = append(got, s.word)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", test.words, got, test.want)
		}
	}
}
