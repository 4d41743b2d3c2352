package main

import (
	"flag"
	"io"

	"github.com/acemq/acemq-gen/gen/diag"
)

// report is how a command tells what it found: for people, or with -json for programs.
type report struct{ json bool }

// newReport defines the flag -json.
func newReport(flags *flag.FlagSet) *report {
	r := &report{}
	flags.BoolVar(&r.json, "json", false,
		"print the mistakes and warnings as a JSON array on stdout, [] for none, and all else on stderr")
	return r
}

// mistakes prints what is wrong with a flow, and what may be.
func (r *report) mistakes(p process, list diag.List) error {
	if r.json {
		return list.WriteJSON(p.stdout)
	}
	return list.WriteText(p.stderr)
}

// files returns where the lines about files go.
func (r *report) files(p process) io.Writer {
	if r.json {
		return p.stderr
	}
	return p.stdout
}
