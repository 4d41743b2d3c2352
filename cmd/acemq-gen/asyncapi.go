package main

import (
	"flag"
	"io"
	"maps"
	"slices"

	"github.com/acemq/acemq-gen/gen/asyncapi"
)

var asyncapiCommand = command{
	name:  "asyncapi",
	args:  "[packages]",
	short: "write the flow as an AsyncAPI document",
	help: `
Writes the flow that the packages declare as one AsyncAPI 3.0 document with the bindings of AMQP: a channel for each
exchange with a routing key and each queue, an operation for whatever sends or receives, and the messages with their
headers and JSON Schemas. It reads the source and asks no broker. A flow with mistakes is not written.

  acemq-gen asyncapi -o asyncapi.json ./...

Its title is the name of the package, its description the package's doc comment, and its version what the path of the
module says: 2.0.0 for example.com/shop/v2, 0.0.0 where it says nothing.

Exit code: 0 written, 2 the flow has mistakes, wrong use or trouble on the way.`,
	flags: func(flags *flag.FlagSet) action {
		format := choose(flags, "format", "json", slices.Sorted(maps.Keys(asyncapiFormats)), "json or yaml; the default is json")
		file := flags.String("o", "", "write to this file; the default is stdout")
		return func(p process, args []string) int { return writeAsyncAPI(p, format, *file, args) }
	},
}

// asyncapiFormats are the values of -format.
var asyncapiFormats = map[string]func(*asyncapi.Document, io.Writer) error{
	"json": (*asyncapi.Document).WriteJSON,
	"yaml": (*asyncapi.Document).WriteYAML,
}

func writeAsyncAPI(p process, format *choice, file string, patterns []string) int {
	if err := format.check(); err != nil {
		return p.fail("%v", err)
	}
	declared, err := declarations(p, patterns)
	if err != nil {
		return p.fail("%v", err)
	}
	schemas, mistakes := declared.Schemas()
	if err := p.mistakes(mistakes); err != nil {
		return p.fail("%v", err)
	}
	if mistakes.Failed() {
		return p.fail("%v", errMistakes)
	}
	document, err := asyncapi.Of(declared.Flows, schemas)
	if err != nil {
		return p.fail("%v", err)
	}
	return p.document(file, func(w io.Writer) error { return asyncapiFormats[format.chosen](document, w) })
}
