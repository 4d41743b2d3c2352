package check_test

import (
	"flag"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/acemq/acemq-gen/gen"
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/load/loadtest"
	"github.com/acemq/acemq-gen/templates"
)

var update = flag.Bool("update", false, "write the goldens from what the tests get")

// judge returns the mistakes of all packages of a module, by the directory of the package.
func judge(t *testing.T, archive string) map[string]diag.List {
	t.Helper()
	result, err := gen.Generate(t.Context(), load.Config{Dir: loadtest.Module(t, archive), Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	byDir := map[string]diag.List{}
	for _, d := range result.Diagnostics {
		dir := path.Dir(d.Pos.File)
		byDir[dir] = append(byDir[dir], d)
	}
	return byDir
}

func text(t *testing.T, list diag.List) string {
	t.Helper()
	var out strings.Builder
	if err := list.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var (
	goBlock   = regexp.MustCompile("(?s)```go\n(.*?)```")
	fileBlock = regexp.MustCompile("(?s)```json (\\S+)\n(.*?)```")
)

// page is a page of templates/explain.
type page struct {
	title   string
	example string       // makes the mistake
	mended  string       // and does not; may be missing
	files   []txtar.File // beside both
}

func readPage(t testing.TB, code diag.Code) page {
	t.Helper()
	content, err := templates.Explain.ReadFile("explain/" + string(code) + ".md")
	if err != nil {
		t.Fatalf("%s has no page: %v", code, err)
	}
	title, rest, _ := strings.Cut(string(content), "\n")
	blocks := goBlock.FindAllStringSubmatch(rest, -1)
	if len(blocks) < 1 || len(blocks) > 2 {
		t.Fatalf("the page of %s has %d Go examples, want one or two", code, len(blocks))
	}
	p := page{title: title, example: blocks[0][1]}
	if len(blocks) == 2 {
		p.mended = blocks[1][1]
	}
	for _, file := range fileBlock.FindAllStringSubmatch(rest, -1) {
		p.files = append(p.files, txtar.File{Name: file[1], Data: []byte(file[2])})
	}
	return p
}

// TestExplainPages runs the examples of every page: the first makes the mistake and no other, the second makes none.
// How the mistakes are printed is kept in testdata/explain.txtar.
func TestExplainPages(t *testing.T) {
	var module, golden txtar.Archive
	for _, code := range diag.Codes() {
		p := readPage(t, code)
		if want := "# " + string(code) + ": " + code.Title(); p.title != want {
			t.Errorf("the page of %s starts with %q, want %q", code, p.title, want)
		}
		for kind, flow := range map[string]string{"bad": p.example, "good": p.mended} {
			for _, file := range append(p.files, txtar.File{Name: "flow.go", Data: []byte(flow)}) {
				if flow != "" {
					name := path.Join(kind, string(code), file.Name)
					module.Files = append(module.Files, txtar.File{Name: name, Data: file.Data})
				}
			}
		}
	}
	found := judge(t, string(txtar.Format(&module)))
	for _, code := range diag.Codes() {
		mistakes := found["bad/"+string(code)]
		if len(mistakes) == 0 {
			t.Errorf("the example of %s makes no mistake", code)
		}
		for _, d := range mistakes {
			if d.Code != code {
				t.Errorf("the example of %s also makes: %v", code, d)
			}
		}
		if rest := found["good/"+string(code)]; len(rest) > 0 {
			t.Errorf("the mended example of %s makes mistakes:\n%s", code, text(t, rest))
		}
		golden.Files = append(golden.Files, txtar.File{Name: string(code), Data: []byte(text(t, mistakes))})
	}
	compare(t, "testdata/explain.txtar", txtar.Format(&golden))
}

func TestEveryPageHasACode(t *testing.T) {
	pages, err := templates.Explain.ReadDir("explain")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if code := diag.Code(strings.TrimSuffix(p.Name(), ".md")); code.Title() == "" {
			t.Errorf("the page %s explains a code that does not exist", p.Name())
		}
	}
}

// compare holds got against a golden file, or writes it with -update.
func compare(t *testing.T, golden string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs (run with -update to take it over), got\n%s", golden, got)
	}
}
