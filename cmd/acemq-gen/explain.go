package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/templates"
)

var explainCommand = command{
	name: "explain",
	args: "[code]",
	help: `
Explains a mistake by the code that stands behind it, with an example and what to do: acemq-gen explain ACE0201.
Without a code, it lists all of them.

Exit code: 0 explained, 2 there is no such code.`,
	flags: func(*flag.FlagSet) action { return explain },
}

func explain(p process, args []string) int {
	switch len(args) {
	case 0:
		for _, code := range diag.Codes() {
			fmt.Fprintf(p.stdout, "%s  %s\n", code, code.Title())
		}
		return exitOK
	case 1:
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
