package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the flow has mistakes; of check and diff: the generated files differ
	exitMisuse = 2 // wrong use, or trouble on the way; of check and diff: mistakes in the flow too
)

// process is the outside of a command.
type process struct {
	stdout io.Writer // for what was asked for: a picture, a page, a difference
	stderr io.Writer
	notes  io.Writer // for what was done on the way: the files that were written
	report
	again func(stdout, stderr io.Writer) process // begins another that tells in the same form
}

// fail says in one line why a command did not do its work.
func (p process) fail(format string, args ...any) int {
	p.trouble(fmt.Sprintf(format, args...))
	return exitMisuse
}

// run is the program. It returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	begin := inText
	if saysJSON(args) {
		begin = inJSON
	}
	p := begin(stdout, stderr)
	code := p.dispatch(args)
	if err := p.close(); err != nil {
		fmt.Fprintln(stderr, "acemq-gen:", err)
		return exitMisuse
	}
	return code
}

// dispatch runs the command that the arguments name.
func (p process) dispatch(args []string) int {
	chosen, args := commandOf(args)
	if chosen.name == "" && len(args) > 0 {
		if name, found := misspelt(args[0]); found {
			return p.fail("there is no command %s: did you mean %s? (A package is ./%[1]s.)", args[0], name)
		}
	}
	flags, act := chosen.parser()
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		chosen.usage(p.stdout, flags)
		return exitOK
	case err != nil:
		return p.fail("%v; see: %s -h", err, chosen.call())
	}
	args = flags.Args()
	if i := slices.IndexFunc(beforeDashes(args), func(arg string) bool { return strings.HasPrefix(arg, "-") }); i >= 0 {
		return p.fail("flags come first, and %s stands behind %s; see: %s -h", args[i], args[0], chosen.call())
	}
	return act(p, args)
}

// beforeDashes returns the arguments before "--". What stands behind it is no flag.
func beforeDashes(args []string) []string {
	if end := slices.Index(args, "--"); end >= 0 {
		return args[:end]
	}
	return args
}
