package main

import (
	"flag"
	"io"

	"github.com/acemq/acemq-gen/gen/definitions"
)

var exportCommand = command{
	name:  "export",
	args:  "[packages]",
	short: "write the flow as RabbitMQ definitions",
	help: `
Writes what the flows of the packages declare on a broker, as a RabbitMQ definitions file: the exchanges, queues and
bindings that Declare declares and those that consumers and schedulers declare when they start, with the arguments that
they are declared with. It reads the source and asks no broker. A flow with mistakes is not exported.

  acemq-gen export -o definitions.json ./...
  rabbitmqctl import_definitions definitions.json

An import makes what is missing and leaves what is there as it is, other arguments or not: acemq-gen plan says which. The
file has no users, no policies and no virtual hosts; the one that it is for has to be there. Exchanges and queues that
are flow.External() are left out, and have to be there too where something is bound to them.

Exit code: 0 written, 2 the flow has mistakes, wrong use or trouble on the way.`,
	flags: func(flags *flag.FlagSet) action {
		vhost := flags.String("vhost", "/", "the virtual host that the definitions are for; the default is /")
		file := flags.String("o", "", "write to this file; the default is stdout")
		return func(p process, args []string) int { return export(p, *vhost, *file, args) }
	},
}

func export(p process, vhost, file string, patterns []string) int {
	if vhost == "" {
		return p.fail("the virtual host has no name: say one, or leave -vhost out for /")
	}
	declared, err := declaredBy(p, patterns)
	if err != nil {
		return p.fail("%v", err)
	}
	return p.document(file, func(w io.Writer) error { return definitions.Write(w, declared, vhost) })
}
