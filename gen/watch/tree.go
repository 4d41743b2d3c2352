package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// enterAll watches the modules, and returns their directories with Go files.
func (w *Watcher) enterAll() ([]string, error) {
	var seen []string
	for _, module := range w.modules {
		dirs, err := w.enter(module)
		if err != nil {
			return nil, err
		}
		seen = append(seen, dirs...)
	}
	return seen, nil
}

// enter watches a directory and those in it, and returns those with Go files. A directory is watched before it is read,
// so that no file is missed. What cannot be read, or vanishes meanwhile, is passed over.
func (w *Watcher) enter(root string) ([]string, error) {
	var seen []string
	follow := root + string(filepath.Separator) // where the root is a link
	return seen, filepath.WalkDir(follow, func(path string, entry fs.DirEntry, err error) error {
		path = filepath.Clean(path)
		switch {
		case err != nil:
			return nil
		case entry.IsDir() && path != root && w.passesOver(path):
			return fs.SkipDir
		case entry.IsDir():
			return w.add(path)
		case isSource(path) && !slices.Contains(seen, filepath.Dir(path)):
			seen = append(seen, filepath.Dir(path))
		}
		return nil
	})
}

// add watches the files of a directory.
func (w *Watcher) add(dir string) error {
	switch err := w.files.Add(dir); {
	case err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
		return nil
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("watch %s: the system watches no more directories for this user: raise "+
			"fs.inotify.max_user_watches", dir)
	default:
		return fmt.Errorf("watch %s: %w", dir, err)
	}
}

// passesOver reports whether the go command finds no package of the module in a directory.
func (w *Watcher) passesOver(dir string) bool {
	name := filepath.Base(dir)
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		slices.Contains([]string{"testdata", "vendor", "node_modules"}, name) {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil // it is another module
}
