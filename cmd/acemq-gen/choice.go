package main

import (
	"errors"
	"flag"
	"slices"
)

// choice is the value of a flag that is one of a few words.
type choice struct {
	what   string // as the flag is called
	chosen string
	among  []string
}

// choose defines a flag whose value is one of a few words.
func choose(flags *flag.FlagSet, name, preset string, among []string, usage string) *choice {
	c := &choice{name, preset, among}
	flags.Var(c, name, usage)
	return c
}

// String implements flag.Value.
func (c *choice) String() string { return c.chosen }

// Set implements flag.Value. It takes any word, so that check can say in a sentence what is wrong with it.
func (c *choice) Set(word string) error {
	c.chosen = word
	return nil
}

// check says what is wrong with the word.
func (c *choice) check() error {
	if slices.Contains(c.among, c.chosen) {
		return nil
	}
	return errors.New(unknown(c.what, c.chosen, c.among))
}
