package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
)

// command is a subcommand.
type command struct {
	name  string // "" for what runs without one
	args  string // as its usage line shows them
	help  string
	flags func(*flag.FlagSet) action // defines the command's flags, beside -json, which all have
}

// action runs a command with the arguments that are not flags.
type action func(p process, args []string) int

func commands() []command {
	return []command{
		generateCommand, watchCommand, checkCommand, diffCommand, graphCommand, docsCommand, asyncapiCommand,
		explainCommand, initCommand, replayCommand, versionCommand,
	}
}

// call is how the command is called: "acemq-gen check".
func (c command) call() string { return strings.TrimSpace("acemq-gen " + c.name) }

// parser returns what parses the command's flags, and the action that they are for.
func (c command) parser() (*flag.FlagSet, action) {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Bool("json", false, jsonUsage)
	return flags, c.flags(flags)
}

// usage writes the help page of a command.
func (c command) usage(w io.Writer, flags *flag.FlagSet) {
	line := c.call()
	flags.VisitAll(func(f *flag.Flag) { line += " [-" + f.Name + "]" })
	fmt.Fprintf(w, "usage: %s\n\n%s\n", strings.TrimSpace(line+" "+c.args), strings.TrimSpace(c.help))
	header := "\nFlags:\n"
	flags.VisitAll(func(f *flag.Flag) {
		fmt.Fprintf(w, "%s  -%s  %s\n", header, f.Name, f.Usage)
		header = ""
	})
}

// misspelt returns the command that an argument was meant to be. Only a single word counts: the name of a package has a
// dot or a slash in it, most of the time.
func misspelt(arg string) (name string, found bool) {
	if strings.ContainsAny(arg, "./") {
		return "", false
	}
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return diag.Nearest(arg, names)
}
