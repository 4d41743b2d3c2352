package main

import (
	"flag"
	"slices"
	"strings"
)

// suggestion is what a word of a command line may become.
type suggestion struct{ word, about string }

// plainWords are suggestions that speak for themselves.
func plainWords(words []string) []suggestion {
	all := make([]suggestion, len(words))
	for i, word := range words {
		all[i].word = word
	}
	return all
}

// suggestions returns what the last of the words behind "acemq-gen" may become: a command, a flag, the value of one, or
// what the command says of its arguments. It returns nothing for names of files and packages.
func suggestions(words []string) []suggestion {
	before, last := splitLast(words)
	var found []suggestion
	if len(before) == 0 && !strings.HasPrefix(last, "-") {
		found = subcommands()
	}
	chosen, before := commandOf(before)
	found = append(found, chosen.suggestions(before, last)...)
	return slices.DeleteFunc(found, func(s suggestion) bool { return !strings.HasPrefix(s.word, last) })
}

// splitLast returns the words before the last, and the last. Bash makes three words of -format=svg: "=" is left out.
func splitLast(words []string) (before []string, last string) {
	if len(words) == 0 {
		return nil, ""
	}
	if last = words[len(words)-1]; last == "=" {
		last = ""
	}
	before = slices.Clone(words[:len(words)-1])
	return slices.DeleteFunc(before, func(word string) bool { return word == "=" }), last
}

func subcommands() []suggestion {
	var all []suggestion
	for _, c := range commands()[1:] {
		all = append(all, suggestion{c.name, c.short})
	}
	return all
}

// suggestions returns what a word may become that comes after others of a command.
func (c command) suggestions(before []string, last string) []suggestion {
	flags, _ := c.parser()
	for len(before) > 0 && strings.HasPrefix(before[0], "-") {
		name, _, valued := strings.Cut(strings.TrimLeft(before[0], "-"), "=")
		before = before[1:]
		f := flags.Lookup(name)
		switch {
		case f == nil || valued || isSwitch(f):
		case len(before) == 0:
			return plainWords(valuesOf(f))
		default:
			before = before[1:]
		}
	}
	name, _, valued := strings.Cut(strings.TrimLeft(last, "-"), "=")
	switch {
	case len(before) == 0 && strings.HasPrefix(last, "-") && valued:
		return assignments(flags.Lookup(name), last)
	case len(before) == 0 && strings.HasPrefix(last, "-"):
		return flagNames(flags)
	case c.words != nil:
		return c.words(before)
	}
	return nil
}

func flagNames(flags *flag.FlagSet) []suggestion {
	var all []suggestion
	flags.VisitAll(func(f *flag.Flag) {
		about, _, _ := strings.Cut(f.Usage, ";")
		all = append(all, suggestion{"-" + f.Name, about})
	})
	return all
}

// assignments returns what "-format=" may become.
func assignments(f *flag.Flag, word string) []suggestion {
	if f == nil {
		return nil
	}
	name, _, _ := strings.Cut(word, "=")
	all := plainWords(valuesOf(f))
	for i := range all {
		all[i].word = name + "=" + all[i].word
	}
	return all
}

// isSwitch reports whether a flag takes no value.
func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// valuesOf returns the values of a flag that takes one of a few.
func valuesOf(f *flag.Flag) []string {
	if c, ok := f.Value.(*choice); ok {
		return c.among
	}
	return nil
}
