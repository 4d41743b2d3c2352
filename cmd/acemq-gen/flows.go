package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/acemq/acemq-gen/gen"
	"github.com/acemq/acemq-gen/gen/blueprint"
	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/topology"
)

// errMistakes says that the flow has mistakes, which were printed.
var errMistakes = errors.New("the flow has mistakes: mend them first")

// flows returns the flows of packages for a command that shows them. Mistakes and warnings are printed.
func flows(p process, patterns []string) ([]*model.Flow, error) {
	declared, err := declarations(p, patterns)
	if err != nil {
		return nil, err
	}
	return declared.Flows, nil
}

// declarations returns what packages declare, as flows does.
func declarations(p process, patterns []string) (*gen.Declared, error) {
	if err := packagesOnly(patterns); err != nil {
		return nil, err
	}
	declared, err := gen.Flows(context.Background(), load.Config{Patterns: patterns})
	if err != nil {
		return nil, err
	}
	if declared.Hint != "" {
		fmt.Fprintln(p.stderr, "acemq-gen:", declared.Hint)
	}
	if err := p.mistakes(declared.Diagnostics); err != nil {
		return nil, err
	}
	switch {
	case declared.Diagnostics.Failed():
		return nil, errMistakes
	case len(declared.Flows) == 0:
		return nil, errors.New(noFlow(patterns))
	}
	return declared, nil
}

// declaredBy returns what the flows of packages declare on a broker.
func declaredBy(p process, patterns []string) (*topology.Topology, error) {
	declared, err := flows(p, patterns)
	if err != nil {
		return nil, err
	}
	return blueprint.Of(declared...)
}

// packagesOnly refuses files where packages are meant.
func packagesOnly(patterns []string) error {
	for _, pattern := range patterns {
		if strings.HasSuffix(pattern, ".go") {
			return fmt.Errorf("%s is a file, and a flow is that of a package: say its directory", pattern)
		}
	}
	return nil
}

// noFlow says that packages declare none.
func noFlow(patterns []string) string {
	return fmt.Sprintf("no flow is declared in %s: declare one with the functions of "+
		"github.com/acemq/acemq-gen/runtime/flow", cmp.Or(strings.Join(patterns, " "), "."))
}
