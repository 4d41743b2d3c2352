package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/acemq/acemq-gen/templates"
)

// completionCommand is a function, for it looks at all commands.
func completionCommand() command {
	return command{
		name:  "completion",
		args:  strings.Join(shells(), " | "),
		short: "complete commands and flags in a shell",
		help: `
Prints a script that completes commands, flags, their values, and for explain codes and names, in a shell:

  source <(acemq-gen completion bash)    in ~/.bashrc
  source <(acemq-gen completion zsh)     in ~/.zshrc, below compinit
  acemq-gen completion fish | source     in ~/.config/fish/config.fish

The script asks acemq-gen completion for -- WORDS, which prints what the last of the words behind acemq-gen may become.

Exit code: 0 printed, 2 wrong use.`,
		flags: func(*flag.FlagSet) action { return completion },
		words: func([]string) []suggestion { return plainWords(shells()) },
	}
}

// shells are those that there is a script for.
func shells() []string {
	entries, _ := templates.Completion.ReadDir("completion") // is part of the program
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func completion(p process, args []string) int {
	switch {
	case len(args) > 1 && args[0] == "for" && args[1] == "--":
		return printSuggestions(p, args[2:])
	case len(args) != 1:
		return p.fail("completion takes one shell, and was given %d: say %s", len(args), strings.Join(shells(), ", "))
	case !slices.Contains(shells(), args[0]):
		return p.fail("%s", unknown("script for", args[0], shells()))
	}
	script, err := templates.Completion.ReadFile("completion/" + args[0])
	if err == nil {
		_, err = p.stdout.Write(script)
	}
	if err != nil {
		return p.fail("%v", err)
	}
	return exitOK
}

// printSuggestions prints what the last word may become, one a line, with a tab and a few words on each.
func printSuggestions(p process, words []string) int {
	for _, s := range suggestions(words) {
		if _, err := fmt.Fprintf(p.stdout, "%s\t%s\n", s.word, s.about); err != nil {
			return p.fail("%v", err)
		}
	}
	return exitOK
}
