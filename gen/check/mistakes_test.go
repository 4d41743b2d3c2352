package check_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/acemq/acemq-gen/gen/diag"
)

// TestMistakes runs the archives of testdata/mistakes: packages, and in want.txt what is printed for all of them. A
// package whose name starts with "fine" makes no mistake.
func TestMistakes(t *testing.T) {
	names, err := filepath.Glob("testdata/mistakes/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	archives := map[string]*txtar.Archive{}
	var module txtar.Archive
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		archives[name] = archive
		for _, file := range archive.Files {
			if file.Name != "want.txt" {
				module.Files = append(module.Files, txtar.File{Name: subject(name) + "/" + file.Name, Data: file.Data})
			}
		}
	}
	found := judge(t, string(txtar.Format(&module)))
	for _, name := range names {
		t.Run(subject(name), func(t *testing.T) { compareArchive(t, name, archives[name], found) })
	}
}

// subject returns the name of an archive without directory and ending.
func subject(name string) string { return strings.TrimSuffix(filepath.Base(name), ".txtar") }

// compareArchive holds the mistakes in the packages of one archive against its want.txt.
func compareArchive(t *testing.T, name string, archive *txtar.Archive, found map[string]diag.List) {
	var got diag.List
	for dir, list := range found {
		rest, ours := strings.CutPrefix(dir, subject(name)+"/")
		if !ours {
			continue
		}
		if strings.HasPrefix(rest, "fine") {
			t.Errorf("%s makes mistakes:\n%s", rest, text(t, list))
		}
		got = append(got, list...)
	}
	got.Sort()
	want := txtar.File{Name: "want.txt", Data: []byte(text(t, got))}
	files := slices.DeleteFunc(slices.Clone(archive.Files), func(f txtar.File) bool { return f.Name == "want.txt" })
	compare(t, name, txtar.Format(&txtar.Archive{Comment: archive.Comment, Files: append(files, want)}))
}
