package watch

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"

	"github.com/acemq/acemq-gen/gen/schema"
	"github.com/acemq/acemq-gen/gen/write"
)

// packages are the directories that had Go files when they were looked at, and whether their files count. A directory
// that is not among them is a package that has appeared since, and counts.
type packages map[string]bool

func packagesOf(seen, local []string) packages {
	p := packages{}
	for _, dir := range seen {
		p[dir] = false
	}
	for _, dir := range local {
		p[dir] = true
	}
	return p
}

// count reports whether the files of a directory count.
func (p packages) count(dir string) bool {
	counts, looked := p[dir]
	return counts || !looked
}

// countBelow reports whether the files of a directory, or of one in it, count.
func (p packages) countBelow(dir string) bool {
	for other, counts := range p {
		if counts && (other == dir || strings.HasPrefix(other, dir+string(filepath.Separator))) {
			return true
		}
	}
	return false
}

// output is what the last run has left, by path: nil where it has removed a file.
type output map[string][]byte

func outputOf(done write.Plan) output {
	o := output{}
	for _, change := range done {
		o[change.Path] = change.Wanted
	}
	return o
}

// counts reports whether an event is a reason for another run. A directory that appears is watched from then on.
func (w *Watcher) counts(event fsnotify.Event) (bool, error) {
	if event.Op == fsnotify.Chmod || event.Name == "" {
		return false, nil
	}
	if info, err := os.Lstat(event.Name); err == nil && info.IsDir() {
		if w.passesOver(event.Name) {
			return false, nil
		}
		seen, err := w.enter(event.Name)
		return len(seen) > 0, err
	}
	return w.saved(event.Name) || w.known.countBelow(event.Name) || w.before.countBelow(event.Name), nil
}

// saved reports whether a file counts that was saved, moved or removed.
func (w *Watcher) saved(path string) bool {
	if wanted, ours := w.output[path]; ours {
		current, _ := os.ReadFile(path) // nil where there is none
		return !bytes.Equal(current, wanted)
	}
	switch dir := filepath.Dir(path); {
	case slices.Contains([]string{"go.mod", "go.sum", "go.work"}, filepath.Base(path)):
		return true
	case schema.IsFile(path):
		return w.known.count(filepath.Dir(dir))
	default:
		return isSource(path) && w.known.count(dir)
	}
}

// isSource reports whether a name is that of a Go file that is no test. The go command takes no file with a dot or an
// underscore in front.
func isSource(path string) bool {
	name := filepath.Base(path)
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
		!strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_")
}
