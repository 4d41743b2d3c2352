package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/acemq/acemq-gen/gen"
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/document"
	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/outline"
	"github.com/acemq/acemq-gen/templates"
)

var explainCommand = command{
	name:  "explain",
	args:  "[code | name [packages]]",
	short: "explain a part of the flow, or a mistake by its code",
	help: `
Explains a mistake by the code that stands behind it, with an example and what to do: acemq-gen explain ACE0201.
Without a code, it lists all of them.

Explains a part of a flow by its name, the name of a message, exchange, queue, step, action or declaration: who sends,
who takes, with which keys, when a message that fails is tried again, and where it ends, each with its place in the
source: acemq-gen explain billing.orders ./...

Exit code: 0 explained, 2 there is no such code or name, or trouble on the way.`,
	flags: func(*flag.FlagSet) action { return explain },
	words: explainable,
}

// codeShape is what the codes look like.
var codeShape = regexp.MustCompile(`^(?i)ACE\d+$`)

func explain(p process, args []string) int {
	switch {
	case len(args) == 0:
		for _, code := range diag.Codes() {
			fmt.Fprintf(p.stdout, "%s  %s\n", code, code.Title())
		}
		return exitOK
	case !codeShape.MatchString(args[0]):
		return explainName(p, args[0], args[1:])
	case len(args) == 1:
		return explainCode(p, strings.ToUpper(args[0]))
	default:
		return p.fail("explain takes one code, and was given %d", len(args))
	}
}

func explainCode(p process, code string) int {
	page, err := templates.Explain.ReadFile("explain/" + code + ".md")
	if err == nil {
		_, err = p.stdout.Write(page)
		if err != nil {
			return p.fail("%v", err)
		}
		return exitOK
	}
	var codes []string
	for _, code := range diag.Codes() {
		codes = append(codes, string(code))
	}
	if near, found := diag.Nearest(code, codes); found {
		return p.fail("there is no code %s: did you mean %s?", code, near)
	}
	return p.fail("there is no code %s: acemq-gen explain lists them", code)
}

// explainable returns the codes and, where the flow of the package has no mistakes, the names in it.
func explainable(before []string) []suggestion {
	if len(before) > 0 {
		return nil
	}
	var all []suggestion
	for _, code := range diag.Codes() {
		all = append(all, suggestion{string(code), code.Title()})
	}
	declared, err := gen.Flows(context.Background(), load.Config{})
	if err != nil || declared.Diagnostics.Failed() {
		return all
	}
	return append(all, plainWords(slices.Compact(document.Names(outline.Of(declared.Flows...))))...)
}

// explainName explains a part of the flows of packages.
func explainName(p process, name string, patterns []string) int {
	declared, err := declarations(p, patterns)
	if err != nil {
		return p.fail("%v", err)
	}
	o := outline.Of(declared.Flows...)
	schemas := func(m outline.Message) []string {
		var files []string
		for _, file := range declared.SchemaFiles(m.Pos) {
			files = append(files, relative(file))
		}
		return files
	}
	var text bytes.Buffer
	known, err := document.Answer(&text, o, name, schemas)
	switch {
	case err != nil:
		return p.fail("%v", err)
	case !known:
		return unknownName(p, name, document.Names(o))
	}
	if _, err := p.stdout.Write(text.Bytes()); err != nil {
		return p.fail("%v", err)
	}
	return exitOK
}

func unknownName(p process, name string, known []string) int {
	if near, found := diag.Nearest(name, known); found {
		return p.fail("the flow has nothing called %s: did you mean %s?", name, near)
	}
	return p.fail("the flow has nothing called %s: acemq-gen docs shows what it has", name)
}
