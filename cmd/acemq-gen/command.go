package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/acemq/acemq-gen/gen/diag"
)

// command is a subcommand.
type command struct {
	name  string // "" for what runs without one
	args  string // as its usage line shows them
	short string // what it does, in a few words
	help  string
	flags func(*flag.FlagSet) action // defines the command's flags, beside -json, which all have

	// words returns what an argument may become that comes after others, where it is no name of a file or a package.
	words func(before []string) []suggestion
}

// action runs a command with the arguments that are not flags.
type action func(p process, args []string) int

func commands() []command {
	return []command{
		generateCommand, watchCommand, checkCommand, diffCommand, graphCommand, docsCommand, asyncapiCommand,
		explainCommand, initCommand, planCommand, exportCommand, replayCommand, completionCommand(), versionCommand,
	}
}

// commandOf returns the command that arguments begin with, or the one that runs without a name, and what follows.
func commandOf(args []string) (command, []string) {
	all := commands()
	if len(args) > 0 {
		if i := slices.IndexFunc(all, func(c command) bool { return c.name == args[0] }); i > 0 {
			return all[i], args[1:]
		}
	}
	return all[0], args
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
	if c.name == "" {
		listCommands(w)
	}
	header := "\nFlags:\n"
	flags.VisitAll(func(f *flag.Flag) {
		fmt.Fprintf(w, "%s  -%s  %s\n", header, f.Name, f.Usage)
		header = ""
	})
}

// listCommands writes what there is beside generating.
func listCommands(w io.Writer) {
	fmt.Fprint(w, "\nOther commands:\n")
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, c := range commands()[1:] {
		fmt.Fprintf(table, "  %s %s\t%s\n", c.call(), c.args, c.short)
	}
	table.Flush()
	fmt.Fprint(w, "Each has a page of its own: acemq-gen check -h\n")
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
