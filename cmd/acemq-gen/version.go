package main

import (
	"flag"
	"fmt"
	"runtime/debug"
)

var versionCommand = command{
	name:  "version",
	short: "print the version",
	help:  "Prints the version of acemq-gen and that of Go which built it.",
	flags: func(*flag.FlagSet) action { return version },
}

func version(p process, args []string) int {
	if len(args) > 0 {
		return p.fail("version takes no argument, and was given %q", args[0])
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		info = &debug.BuildInfo{GoVersion: "an unknown Go", Main: debug.Module{Version: "(unknown)"}}
	}
	fmt.Fprintf(p.stdout, "acemq-gen %s, built with %s\n", info.Main.Version, info.GoVersion)
	return exitOK
}
