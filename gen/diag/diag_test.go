package diag

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acemq/acemq-gen/gen/model"
)

func sample() List {
	at := func(line int) model.Pos { return model.Pos{File: "flow.go", Line: line, Column: 3} }
	return List{
		{Code: QueueTwice, Pos: at(9), Message: `the queue "bills" is <bad>`, Help: "say it once",
			Related: []Related{{at(5), "declared here"}}},
		{Code: NameEmpty, Pos: at(9), Message: "b"},
		{Code: NameEmpty, Pos: at(9), Message: "a"},
		{Code: NameEmpty, Pos: at(9), Message: "a"},
		{Code: PackageLoad, Message: "no Go files"},
		{Code: PackageLoad, Pos: model.Pos{File: "go.mod"}, Message: "broken"},
	}
}

func TestTextIsSortedAndWithoutRepetition(t *testing.T) {
	list := sample()
	list.Sort()
	var text strings.Builder
	if err := list.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	want := `no Go files [ACE0001]
flow.go:9:3: a [ACE0301]
flow.go:9:3: b [ACE0301]
flow.go:9:3: the queue "bills" is <bad> [ACE0306]
	flow.go:5:3: declared here
	help: say it once
go.mod: broken [ACE0001]
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
}

func TestJSON(t *testing.T) {
	var text strings.Builder
	if err := sample()[:1].WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	want := `[
  {
    "code": "ACE0306",
    "severity": "error",
    "title": "One queue declared twice differently",
    "file": "flow.go",
    "line": 9,
    "column": 3,
    "message": "the queue \"bills\" is <bad>",
    "help": "say it once",
    "related": [
      {
        "file": "flow.go",
        "line": 5,
        "column": 3,
        "note": "declared here"
      }
    ]
  }
]
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
	text.Reset()
	if err := List(nil).WriteJSON(&text); err != nil || text.String() != "[]\n" {
		t.Errorf("an empty list is %q, %v; want []", text.String(), err)
	}
}

func TestWarningsAreNoFailure(t *testing.T) {
	warning := Diagnostic{Code: PartitionCount, Pos: model.Pos{File: "flow.go", Line: 3, Column: 1}, Message: "odd"}
	if got, want := warning.String(), "flow.go:3:1: warning: odd [ACE0501]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if list := (List{warning}); list.Failed() {
		t.Error("a warning alone fails a run")
	}
	if list := (List{warning, {Code: NameEmpty}}); !list.Failed() {
		t.Error("a mistake beside a warning does not fail a run")
	}
	var text strings.Builder
	if err := (List{warning}).WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), `"severity": "warning"`) {
		t.Errorf("a program cannot tell the warning from a mistake: %s", &text)
	}
}

// TestCodesAreUnique reads the catalogue: a code that is declared twice would be two mistakes with one page.
func TestCodesAreUnique(t *testing.T) {
	source, err := os.ReadFile("catalogue.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`"ACE[0-9]{4}"`).FindAllString(string(source), -1)
	slices.Sort(declared)
	if once := slices.Compact(slices.Clone(declared)); len(once) != len(declared) || len(once) != len(Codes()) {
		t.Errorf("%d codes are declared as %d: %v", len(Codes()), len(declared), declared)
	}
}
