package write

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/gen/emit"
	"github.com/acemq/acemq-gen/gen/model"
)

const header = "// " + model.Header + "\n\n"

func generated(name, body string) emit.File {
	return emit.File{Name: name, Content: []byte(header + body)}
}

// directory makes a directory with files in it.
func directory(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// contents returns the files of a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(content)
	}
	return files
}

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

func TestCompareAndCommit(t *testing.T) {
	const name = "acemq_publishers_gen.go"
	wanted := []emit.File{generated(name, "package a\n")}
	for _, test := range []struct {
		name   string
		before map[string]string
		files  []emit.File
		states string
		after  map[string]string
	}{
		{"missing", nil, wanted, "missing", map[string]string{name: header + "package a\n"}},
		{
			"same", map[string]string{name: header + "package a\n"}, wanted, "same",
			map[string]string{name: header + "package a\n"},
		},
		{
			"stale", map[string]string{name: header + "package b\n"}, wanted, "stale",
			map[string]string{name: header + "package a\n"},
		},
		{
			"same with CRLF", map[string]string{name: crlf(header + "package a\n")}, wanted, "same",
			map[string]string{name: crlf(header + "package a\n")},
		},
		{
			"stale with CRLF", map[string]string{name: crlf(header + "package b\n")}, wanted, "stale",
			map[string]string{name: crlf(header + "package a\n")},
		},
		{
			"orphan", map[string]string{"acemq_slips_gen.go": header, "acemq_later_gen.go": crlf(header)}, wanted,
			"orphan missing orphan", map[string]string{name: header + "package a\n"},
		},
		{
			"somebody's own files",
			map[string]string{
				"acemq_mine_gen.go": "package a\n", "mine_gen.go": header, "acemq_mine.go": header,
				"acemq_quoted_gen.go": "package a\n\n" + header,
			}, nil, "",
			map[string]string{
				"acemq_mine_gen.go": "package a\n", "mine_gen.go": header, "acemq_mine.go": header,
				"acemq_quoted_gen.go": "package a\n\n" + header,
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := directory(t, test.before)
			plan, err := Compare(dir, test.files)
			if err != nil {
				t.Fatal(err)
			}
			var states []string
			for _, change := range plan {
				states = append(states, string(change.State))
			}
			if got := strings.Join(states, " "); got != test.states {
				t.Errorf("the plan is %q, want %q", got, test.states)
			}
			if err := plan.Commit(); err != nil {
				t.Fatal(err)
			}
			if got := contents(t, dir); !maps.Equal(got, test.after) {
				t.Errorf("the directory holds %q, want %q", got, test.after)
			}
		})
	}
}

func TestCompareRefusesToOverwriteHandWrittenCode(t *testing.T) {
	dir := directory(t, map[string]string{"acemq_topology_gen.go": "package a\n"})
	_, err := Compare(dir, []emit.File{generated("acemq_topology_gen.go", "package a\n")})
	if err == nil || !strings.Contains(err.Error(), "is in the way") {
		t.Errorf("the error is %v", err)
	}
}

func TestCommitLeavesAloneWhatIsTheSame(t *testing.T) {
	const name = "acemq_topology_gen.go"
	dir := directory(t, map[string]string{name: header + "package a\n"})
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(filepath.Join(dir, name), past, past); err != nil {
		t.Fatal(err)
	}
	plan, err := Compare(dir, []emit.File{generated(name, "package a\n")})
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Commit(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.ModTime().Equal(past) {
		t.Errorf("the file was written again: %v %v", info.ModTime(), err)
	}
}

func TestCommitKeepsTheMode(t *testing.T) {
	const name = "acemq_topology_gen.go"
	dir := directory(t, map[string]string{name: header})
	if err := os.Chmod(filepath.Join(dir, name), 0o440); err != nil {
		t.Fatal(err)
	}
	plan, err := Compare(dir, []emit.File{generated(name, "package a\n")})
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Commit(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != fs.FileMode(0o440) {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
}

// A file that cannot be written stops the run before anything is created, changed or removed.
func TestCommitIsAllOrNothing(t *testing.T) {
	dir := directory(t, map[string]string{"acemq_a_gen.go": header, "acemq_old_gen.go": header})
	before := contents(t, dir)
	plan, err := Compare(dir, []emit.File{generated("acemq_a_gen.go", "package a\n")})
	if err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "acemq_old_gen.go", "acemq_b_gen.go") // below a file
	plan = append(plan, Change{Path: missing, State: Missing, Wanted: []byte("package b\n")})
	if err := plan.Commit(); err == nil {
		t.Fatal("a file below a file was written")
	}
	if after := contents(t, dir); !maps.Equal(before, after) {
		t.Errorf("the directory holds %q, want %q", after, before)
	}
}

func TestDocumentsAndOnce(t *testing.T) {
	dir := directory(t, map[string]string{"same.json": "{}\r\n", "stale.json": "[]\n"})
	files := []emit.File{
		{Name: "same.json", Content: []byte("{}\n")}, {Name: "stale.json", Content: []byte("{}\n")},
		{Name: "schemas/missing.json", Content: []byte("{}\n")},
	}
	for name, test := range map[string]struct {
		plan func(string, []emit.File) (Plan, error)
		want string
	}{
		"documents": {Documents, "same stale missing"},
		"once":      {Once, "missing"},
	} {
		plan, err := test.plan(dir, files)
		if err != nil {
			t.Fatal(err)
		}
		var states []string
		for _, change := range plan {
			states = append(states, string(change.State))
		}
		if got := strings.Join(states, " "); got != test.want {
			t.Errorf("%s: the plan is %q, want %q", name, got, test.want)
		}
	}
	plan, err := Documents(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Commit(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "schemas", "missing.json")); err != nil || string(got) != "{}\n" {
		t.Errorf("the missing file holds %q, %v", got, err)
	}
}

func TestDiffIgnoresLineEnds(t *testing.T) {
	change := Change{Current: []byte("a\r\nb\r\n"), Wanted: []byte("a\r\nc\r\n")}
	got := change.Diff("x.go")
	for _, line := range []string{"--- a/x.go\n", "+++ b/x.go\n", "\n a\n", "\n-b\n", "\n+c\n"} {
		if !bytes.Contains(got, []byte(line)) {
			t.Errorf("the diff has no %q:\n%s", line, got)
		}
	}
	if same := (Change{Current: []byte("a\r\n"), Wanted: []byte("a\n")}).Diff("x.go"); same != nil {
		t.Errorf("equal files differ:\n%s", same)
	}
}
