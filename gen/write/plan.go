// Package write brings generated files to disk: it compares them with what is there, says what is to be done, and does
// it. `acemq-gen`, `acemq-gen check` and `acemq-gen diff` look at the same plan.
package write

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acemq/acemq-gen/gen/emit"
	"github.com/acemq/acemq-gen/gen/model"
)

// State says how a file on disk compares with what is generated.
type State string

// The states of a file.
const (
	Missing State = "missing" // to be created
	Stale   State = "stale"   // to be updated
	Orphan  State = "orphan"  // generated once, and by nothing in the flow any more: to be removed
	Same    State = "same"
)

// Change is one file of a plan.
type Change struct {
	Path    string // of the file
	State   State
	Current []byte // what the file holds; nil where it is missing
	Wanted  []byte // what it has to hold, with the line ends of Current; nil where it is an orphan
}

// Plan is what is to be done in a directory, sorted by path.
type Plan []Change

// Compare plans how dir comes to hold files and no other generated file. It only reads. It fails where a file that
// somebody wrote by hand is in the way.
func Compare(dir string, files []emit.File) (Plan, error) {
	var plan Plan
	for _, file := range files {
		change, err := compare(filepath.Join(dir, file.Name), file.Content)
		if err != nil {
			return nil, err
		}
		plan = append(plan, change)
	}
	orphans, err := orphans(dir, files)
	if err != nil {
		return nil, err
	}
	plan = append(plan, orphans...)
	slices.SortFunc(plan, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return plan, nil
}

// Documents plans how dir comes to hold files that are not Go: theirs are names of acemq-gen's alone, in directories of
// dir. It only reads.
func Documents(dir string, files []emit.File) (Plan, error) {
	var plan Plan
	for _, file := range files {
		change, err := difference(filepath.Join(dir, filepath.FromSlash(file.Name)), file.Content)
		if err != nil {
			return nil, err
		}
		plan = append(plan, change)
	}
	return plan, nil
}

// Once plans how dir comes to hold files that are left alone from then on. It only reads.
func Once(dir string, files []emit.File) (Plan, error) {
	plan, err := Documents(dir, files)
	return slices.DeleteFunc(plan, func(c Change) bool { return c.State != Missing }), err
}

// compare plans a generated file.
func compare(path string, wanted []byte) (Change, error) {
	change, err := difference(path, wanted)
	if err == nil && change.State != Missing && !model.IsGenerated(path, change.Current) {
		return Change{}, fmt.Errorf("%s is in the way: it does not say %q, so acemq-gen did not write it: rename it",
			filepath.Base(path), model.Header)
	}
	return change, err
}

// difference compares a file with what it has to hold. Line ends do not count.
func difference(path string, wanted []byte) (Change, error) {
	current, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Change{Path: path, State: Missing, Wanted: wanted}, nil
	case err != nil:
		return Change{}, err
	case bytes.Equal(unix(current), wanted):
		return Change{Path: path, State: Same, Current: current, Wanted: current}, nil
	case bytes.Contains(current, []byte("\r\n")):
		wanted = bytes.ReplaceAll(wanted, []byte("\n"), []byte("\r\n"))
	}
	return Change{Path: path, State: Stale, Current: current, Wanted: wanted}, nil
}

// orphans returns the files in dir that only acemq-gen can have written and that are not among files. Name and header
// have to prove it.
func orphans(dir string, files []emit.File) (Plan, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var plan Plan
	for _, entry := range entries {
		generated := func(f emit.File) bool { return f.Name == entry.Name() }
		if !entry.Type().IsRegular() || !strings.HasPrefix(entry.Name(), "acemq_") || slices.ContainsFunc(files, generated) {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		current, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if model.IsGenerated(path, current) {
			plan = append(plan, Change{Path: path, State: Orphan, Current: current})
		}
	}
	return plan, nil
}

// Changes returns what is not the same.
func (p Plan) Changes() []Change {
	return slices.DeleteFunc(slices.Clone(p), func(c Change) bool { return c.State == Same })
}
