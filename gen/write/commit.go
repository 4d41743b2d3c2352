package write

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Commit does what the plan says and leaves alone what is the same. Every file is written in full beside its place
// before the first takes its place, and orphans are removed last: an error on the way leaves the files as they were or,
// where a rename fails half-way, each of them whole.
func (p Plan) Commit() error {
	staged := map[string]string{} // by path: the file that holds what is to be there
	defer func() {
		for _, file := range staged {
			os.Remove(file)
		}
	}()
	for _, change := range p {
		if change.State != Missing && change.State != Stale {
			continue
		}
		file, err := stage(change)
		if err != nil {
			return err
		}
		staged[change.Path] = file
	}
	for _, change := range p {
		file, found := staged[change.Path]
		if !found {
			continue
		}
		if err := os.Rename(file, change.Path); err != nil {
			return err
		}
		delete(staged, change.Path)
	}
	for _, change := range p {
		if change.State != Orphan {
			continue
		}
		if err := os.Remove(change.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// stage writes the wanted content to a file beside its place, in a directory that it makes where it is missing, with the mode of the file it replaces. The file's name
// starts with a dot, so that the go command does not see it. It returns the file's path.
func stage(change Change) (path string, err error) {
	mode := fs.FileMode(0o666) // what the umask leaves of it
	if info, err := os.Stat(change.Path); err == nil {
		mode = info.Mode().Perm()
	}
	dir, name := filepath.Split(change.Path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	path = filepath.Join(dir, fmt.Sprintf(".%s.%d.tmp", name, os.Getpid()))
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			os.Remove(path)
		}
	}()
	_, err = file.Write(change.Wanted)
	if change.State == Stale {
		err = errors.Join(err, file.Chmod(mode))
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	return path, nil
}
