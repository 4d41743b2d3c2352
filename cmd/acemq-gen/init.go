package main

import (
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/acemq/acemq-gen/gen/scaffold"
	"github.com/acemq/acemq-gen/templates"
)

var initCommand = command{
	name:  "init",
	args:  "[directory]",
	short: "begin a flow",
	help: `
Begins a flow in a directory, the current one by default: a flow.go to change, a message, and a program that publishes
and consumes it, in memory or on a broker. The directory must be in a module and may be new. It overwrites nothing, and
says what to run next.

Exit code: 0 written, 2 there are files in the way, wrong use or trouble on the way.`,
	flags: func(*flag.FlagSet) action { return begin },
}

func begin(p process, args []string) int {
	dir := "."
	switch len(args) {
	case 0:
	case 1:
		dir = args[0]
	default:
		return p.fail("init takes one directory, and was given %d", len(args))
	}
	files, err := fs.Sub(templates.Init, "init")
	if err != nil {
		return p.fail("%v", err)
	}
	flow, err := scaffold.New(dir, files)
	if err != nil {
		return p.fail("%v", err)
	}
	if err := flow.Write(); err != nil {
		return p.fail("%v", err)
	}
	for _, file := range flow.Files {
		fmt.Fprintln(p.notes, "wrote", relative(filepath.Join(flow.Dir, filepath.FromSlash(file.Name))))
	}
	fmt.Fprint(p.notes, "\nNext, run:\n\n")
	for _, command := range next(flow) {
		fmt.Fprintln(p.notes, "  "+command)
	}
	return exitOK
}

// next are the commands that make the flow run.
func next(flow *scaffold.Scaffold) []string {
	var commands []string
	if here := relative(flow.Dir); here != "." {
		commands = append(commands, "cd "+here)
	}
	if !flow.HasTool {
		commands = append(commands, "go get -tool "+scaffold.Tool)
	}
	return append(commands, "go generate ./...", "go run .")
}
