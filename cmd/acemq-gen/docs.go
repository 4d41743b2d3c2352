package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acemq/acemq-gen/gen/document"
	"github.com/acemq/acemq-gen/templates"
)

var docsCommand = command{
	name:  "docs",
	args:  "[packages]",
	short: "write a page about the flow",
	help: `
Writes a page about each flow, in Markdown: its messages, exchanges, publishers and queues, with a picture for Mermaid,
the time of each retry, and where messages go that fail. It reads the source and asks no broker.

  acemq-gen docs -o docs ./...                    a page a flow: docs/orders.md
  acemq-gen docs -templates templates -o docs .   with a template of yours, templates/flow.md.tmpl

Exit code: 0 written, 2 the flow has mistakes, wrong use or trouble on the way.`,
	flags: func(flags *flag.FlagSet) action {
		dir := flags.String("o", "", "write each page into this directory, which is made if need be; the default is stdout")
		own := flags.String("templates", "",
			"a directory with templates of yours, which are used in place of those of the same name")
		return func(p process, args []string) int { return docs(p, *dir, *own, args) }
	},
}

func docs(p process, dir, own string, patterns []string) int {
	pageTemplates, err := docsTemplates(own)
	if err != nil {
		return p.fail("%v", err)
	}
	declared, err := flows(p, patterns)
	if err != nil {
		return p.fail("%v", err)
	}
	pages, err := document.Pages(declared, pageTemplates)
	if err != nil {
		return p.fail("%v", err)
	}
	for _, page := range pages {
		if err := p.page(dir, page); err != nil {
			return p.fail("%v", err)
		}
	}
	return exitOK
}

// page writes a page into a directory and says so, or to stdout where none is named.
func (p process) page(dir string, page document.File) error {
	if dir == "" {
		_, err := p.stdout.Write(page.Text)
		return err
	}
	path := filepath.Join(dir, page.Name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(path, page.Text, 0o666); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.notes, "wrote", relative(path))
	return err
}

// docsTemplates returns the templates: those of a directory, and ours for what is not there.
func docsTemplates(dir string) (fs.FS, error) {
	ours, err := fs.Sub(templates.Docs, "docs")
	if err != nil || dir == "" {
		return ours, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	known, err := fs.Glob(ours, "*")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".tmpl") && !slices.Contains(known, entry.Name()) {
			return nil, fmt.Errorf("%s: %s", dir, unknown("template", entry.Name(), known))
		}
	}
	return layered{os.DirFS(dir), ours}, nil
}

// layered is files of the first file system that has them.
type layered []fs.FS

// Open implements fs.FS.
func (l layered) Open(name string) (fs.File, error) {
	for _, layer := range l[:len(l)-1] {
		if _, err := fs.Stat(layer, name); err == nil {
			return layer.Open(name)
		}
	}
	return l[len(l)-1].Open(name)
}
