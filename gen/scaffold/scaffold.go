// Package scaffold begins a flow: a program and a package with a flow.go, for users to change.
package scaffold

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"text/template"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Tool is the import path of acemq-gen.
const Tool = "github.com/acemq/acemq-gen/cmd/acemq-gen"

// Scaffold is a new program that is not written yet.
type Scaffold struct {
	Dir     string // absolute
	Files   []File // with slashes in their names, sorted
	HasTool bool   // the module knows the tool already
}

// File is a file of a scaffold.
type File struct {
	Name string // relative to the directory
	Text []byte
}

// New plans the files that templates make for a directory, which need not be there, but must be in a module. It refuses
// a directory that has Go files, which a program of another package would break.
func New(dir string, templates fs.FS) (*Scaffold, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "*.go")); len(found) > 0 {
		return nil, fmt.Errorf("%s has Go files, %s for one: say a directory of its own", dir, filepath.Base(found[0]))
	}
	mod, root, err := moduleOf(dir)
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return nil, err
	}
	orders := path.Join(mod.Module.Mod.Path, filepath.ToSlash(rel), "orders")
	if err := module.CheckImportPath(orders); err != nil {
		return nil, fmt.Errorf("%w: choose another directory", err)
	}
	s := &Scaffold{Dir: dir}
	for _, tool := range mod.Tool {
		s.HasTool = s.HasTool || tool.Path == Tool
	}
	return s, s.render(templates, orders)
}

// moduleOf returns the go.mod of a directory and where it is.
func moduleOf(dir string) (mod *modfile.File, root string, err error) {
	for root = dir; ; root = filepath.Dir(root) {
		file := filepath.Join(root, "go.mod")
		text, err := os.ReadFile(file)
		switch {
		case err == nil:
			mod, err = modfile.Parse(file, text, nil)
			if err == nil && mod.Module == nil {
				err = fmt.Errorf("%s names no module: run go mod init with its path", file)
			}
			return mod, root, err
		case !errors.Is(err, fs.ErrNotExist):
			return nil, "", err
		case root == filepath.Dir(root):
			return nil, "", fmt.Errorf("there is no go.mod in %s or above: run go mod init with a path first, "+
				"go mod init example.com/shop for one", dir)
		}
	}
}

// render fills in the templates, each of which is a file of the scaffold with .tmpl behind its name.
func (s *Scaffold) render(templates fs.FS, orders string) error {
	return fs.WalkDir(templates, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := template.ParseFS(templates, name)
		if err != nil {
			return err
		}
		var text bytes.Buffer
		if err := file.Execute(&text, struct{ Orders string }{orders}); err != nil {
			return err
		}
		s.Files = append(s.Files, File{strings.TrimSuffix(name, ".tmpl"), text.Bytes()})
		return nil
	})
}

// Write writes the files. It writes none where one of them is there already.
func (s *Scaffold) Write() error {
	for _, file := range s.Files {
		name := filepath.Join(s.Dir, filepath.FromSlash(file.Name))
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			if err == nil {
				err = fmt.Errorf("%s is there already: move it away, or say another directory", name)
			}
			return err
		}
	}
	for _, file := range s.Files {
		if err := write(filepath.Join(s.Dir, filepath.FromSlash(file.Name)), file.Text); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file that is not there.
func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}
