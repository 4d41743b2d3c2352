package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

// Local returns the directories of the packages that cfg names, and of what they import, directly or not, from modules
// that are directories of this machine: the user's own, and those that replace others.
func Local(ctx context.Context, cfg Config) ([]string, error) {
	root, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, err
	}
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule
	named, err := packages.Load(&packages.Config{Mode: mode, Context: ctx, Dir: root, Env: cfg.Env}, queries(cfg.Patterns)...)
	if err != nil {
		return nil, fmt.Errorf("list packages in %s: %w", root, err)
	}
	var dirs []string
	packages.Visit(named, nil, func(p *packages.Package) {
		if p.Dir != "" && isLocal(p.Module) {
			dirs = append(dirs, p.Dir)
		}
	})
	slices.Sort(dirs)
	return slices.Compact(dirs), nil
}

// isLocal reports whether a module is a directory, and no version of anything.
func isLocal(m *packages.Module) bool {
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}

// Modules returns the directories of the modules that are worked on: that of the run, or those of its workspace.
func Modules(ctx context.Context, cfg Config) ([]string, error) {
	command := exec.CommandContext(ctx, "go", "env", "GOMOD", "GOWORK")
	command.Dir, command.Env = cfg.Dir, cfg.Env
	command.Stderr = new(bytes.Buffer)
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w: %s", err, command.Stderr)
	}
	mod, work, _ := strings.Cut(string(out), "\n")
	mod, work = strings.TrimSpace(mod), strings.TrimSpace(work)
	switch {
	case work != "" && work != "off":
		return usedBy(work)
	case mod == "" || mod == os.DevNull:
		return nil, errors.New("there is no go.mod here or in a directory above: run this in a module")
	}
	return []string{filepath.Dir(mod)}, nil
}

// usedBy returns the directories of the modules that a go.work uses.
func usedBy(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := modfile.ParseWork(path, text, nil)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, use := range file.Use {
		dir := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(path), dir)
		}
		dirs = append(dirs, dir)
	}
	return dirs, nil
}
