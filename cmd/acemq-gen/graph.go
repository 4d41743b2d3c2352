package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/graph"
	"github.com/acemq/acemq-gen/gen/outline"
)

var graphCommand = command{
	name:  "graph",
	args:  "[packages]",
	short: "draw the flow",
	help: `
Draws the flow that the packages declare, as one picture: publishers, exchanges, queues, consumers, steps and stops, and
where messages go that fail. It reads the source and asks no broker. A flow with mistakes is not drawn.

  acemq-gen graph -format svg -o flow.svg ./...

Exit code: 0 drawn, 2 the flow has mistakes, wrong use or trouble on the way.`,
	flags: func(flags *flag.FlagSet) action {
		format := choose(flags, "format", "mermaid", slices.Sorted(maps.Keys(formats)),
			"mermaid for Markdown, dot for Graphviz, or svg, a picture as it is; the default is mermaid")
		file := flags.String("o", "", "write to this file; the default is stdout")
		return func(p process, args []string) int { return drawGraph(p, format, *file, args) }
	},
}

// formats are the values of -format.
var formats = map[string]func(*graph.Graph, io.Writer) error{
	"mermaid": (*graph.Graph).WriteMermaid,
	"dot":     (*graph.Graph).WriteDOT,
	"svg":     (*graph.Graph).WriteSVG,
}

func drawGraph(p process, format *choice, file string, patterns []string) int {
	if err := format.check(); err != nil {
		return p.fail("%v", err)
	}
	declared, err := flows(p, patterns)
	if err != nil {
		return p.fail("%v", err)
	}
	picture := graph.Of(outline.Of(declared...))
	return p.document(file, func(w io.Writer) error { return formats[format.chosen](picture, w) })
}

// document writes a document, whole or not at all, to a file, or to stdout where no file is named. It returns the exit
// code.
func (p process) document(file string, write func(io.Writer) error) int {
	var text bytes.Buffer
	err := write(&text)
	switch {
	case err != nil:
	case file == "":
		_, err = p.stdout.Write(text.Bytes())
	default:
		err = os.WriteFile(file, text.Bytes(), 0o666)
	}
	if err != nil {
		return p.fail("%v", err)
	}
	return exitOK
}

// unknown says that there is no such thing, and which one was meant or which there are.
func unknown(what, name string, known []string) string {
	if near, found := diag.Nearest(name, known); found {
		return fmt.Sprintf("there is no %s %s: did you mean %s?", what, name, near)
	}
	return fmt.Sprintf("there is no %s %s: say %s", what, name, strings.Join(known, ", "))
}
