// Package watch says when packages have to be generated again: when a file was saved that their code is made of. What a
// run itself has written is no reason for another.
package watch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/write"
)

// settle is how long the files must rest before a save counts as done: an editor writes a file in pieces, or moves it
// away and another in its place.
const settle = 150 * time.Millisecond

// Watcher watches the directories of packages and of what they import.
type Watcher struct {
	cfg     load.Config
	modules []string // the directories in which packages may appear
	files   *fsnotify.Watcher
	known   packages
	before  packages // what was known before the last look: events from then may still come
	output  output
}

// New watches the modules of the packages that cfg names. Until [Watcher.Look], every package in them counts.
func New(ctx context.Context, cfg load.Config) (*Watcher, error) {
	modules, err := load.Modules(ctx, cfg)
	if err != nil {
		return nil, err
	}
	files, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch files: %w", err)
	}
	w := &Watcher{cfg: cfg, modules: modules, files: files}
	seen, err := w.enterAll()
	if err != nil {
		return nil, errors.Join(err, files.Close())
	}
	w.known = packagesOf(seen, seen)
	return w, nil
}

// Close ends it.
func (w *Watcher) Close() error { return w.files.Close() }

// Look finds out which files count after a run that has left the files of a plan as they are to be: a package may be
// new, or import others than before.
func (w *Watcher) Look(ctx context.Context, done write.Plan) error {
	w.output = outputOf(done)
	seen, err := w.enterAll()
	if err != nil {
		return err
	}
	local, err := load.Local(ctx, w.cfg)
	if err != nil { // as long as it is not known what is imported, everything counts
		local = seen
	}
	for _, dir := range local {
		if err := w.add(dir); err != nil {
			return err
		}
	}
	w.before, w.known = w.known, packagesOf(seen, local)
	return nil
}

// Wait returns when files that count were saved and are at rest. An error means that ctx is done, or that files cannot
// be watched any more.
func (w *Watcher) Wait(ctx context.Context) error {
	var rest <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-rest:
			return nil
		case event := <-w.files.Events:
			counts, err := w.counts(event)
			if err != nil {
				return err
			}
			if counts {
				rest = time.After(settle)
			}
		case err := <-w.files.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return fmt.Errorf("watch files: %w", err)
			}
			rest = time.After(settle) // some events are lost, and any file may have been saved
		}
	}
}
