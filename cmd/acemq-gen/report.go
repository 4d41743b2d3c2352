package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/acemq/acemq-gen/gen/diag"
)

// report is how a command tells what it found and what went wrong: in text for people, or with -json for programs.
type report interface {
	mistakes(list diag.List) error                 // tells what is wrong with a flow, and what may be
	trouble(message string)                        // tells why a command did not do its work
	show(text, json func(w io.Writer) error) error // prints what was asked for, where it has both forms
	close() error                                  // tells what is kept until the end of a run
}

// textReport tells everything at once.
type textReport struct{ stdout, stderr io.Writer }

// inText returns a process that tells people.
func inText(stdout, stderr io.Writer) process {
	return process{stdout, stderr, stdout, textReport{stdout, stderr}, inText}
}

func (r textReport) mistakes(list diag.List) error { return list.WriteText(r.stderr) }

func (r textReport) trouble(message string) { fmt.Fprintln(r.stderr, "acemq-gen:", message) }

func (r textReport) show(text, _ func(io.Writer) error) error { return text(r.stdout) }

func (r textReport) close() error { return nil }

// line prints a value on a line of its own.
func (p process) line(value fmt.Stringer) error {
	text := func(w io.Writer) error {
		_, err := fmt.Fprintln(w, value)
		return err
	}
	object := func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(value)
	}
	return p.show(text, object)
}

// jsonUsage is what the help says of -json.
const jsonUsage = "print mistakes, warnings and other errors as a JSON array on stdout, [] for none, or on stderr where " +
	"stdout has what was asked for"

// saysJSON reports whether -json is among the arguments. They are searched before they are parsed, so that wrong use is
// told in JSON too.
func saysJSON(args []string) bool {
	return slices.ContainsFunc(beforeDashes(args), func(arg string) bool { return arg == "-json" || arg == "--json" })
}

// jsonReport keeps what is wrong for one array at the end.
type jsonReport struct {
	stdout *used
	stderr io.Writer
	list   diag.List
}

// inJSON returns a process that tells programs.
func inJSON(stdout, stderr io.Writer) process {
	out := &used{Writer: stdout}
	return process{out, stderr, stderr, &jsonReport{stdout: out, stderr: stderr}, inJSON}
}

func (r *jsonReport) mistakes(list diag.List) error {
	r.list = append(r.list, list...)
	return nil
}

// trouble adds an object that has no code and no place. Where there are mistakes, they say why.
func (r *jsonReport) trouble(message string) {
	if !r.list.Failed() {
		r.list.Add(diag.Diagnostic{Message: message})
	}
}

func (r *jsonReport) show(_, json func(io.Writer) error) error { return json(r.stdout) }

func (r *jsonReport) close() error {
	switch {
	case !r.stdout.yes:
		return r.list.WriteJSON(r.stdout)
	case len(r.list) > 0:
		return r.list.WriteJSON(r.stderr)
	}
	return nil
}

// used is a writer that knows whether anything was written.
type used struct {
	io.Writer
	yes bool
}

// Write implements io.Writer.
func (u *used) Write(text []byte) (int, error) {
	u.yes = u.yes || len(text) > 0
	return u.Writer.Write(text)
}
