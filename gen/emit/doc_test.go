package emit

import (
	"go/ast"
	"go/format"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

func TestDocKeepsTheUsersWords(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 30))
	for _, test := range []struct {
		name, doc string
		want      []string
	}{
		{"none", "", []string{"// PlacedPublisher publishes OrderPlaced."}},
		{"by the variable's name", "Placed announces\nan order.\n", []string{"// PlacedPublisher announces an order."}},
		{
			"by another name", "An order was placed.",
			[]string{"// PlacedPublisher publishes OrderPlaced.", "//", "// An order was placed."},
		},
		{
			"wrapped", "Placed " + long,
			[]string{"// PlacedPublisher" + strings.Repeat(" word", 16), "//" + strings.Repeat(" word", 14)},
		},
		{
			"list, code, heading, link",
			"Placed has parts.\n\n  - one\n    more\n  - two\n\n# Head\n\n\tcode   here\n\n[a]: https://b",
			[]string{
				"// PlacedPublisher has parts.", "//", "//   - one", "//     more", "//   - two", "//", "// # Head", "//",
				"//	code   here", "//", "// [a]: https://b",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := doc(opening("Placed", "PlacedPublisher", test.doc, "publishes OrderPlaced.")...).GoString()
			if want := strings.Join(test.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Whatever stands in a doc comment, the generated file is Go as gofmt leaves it.
func FuzzDoc(f *testing.F) {
	for _, doc := range []string{
		"Placed announces\n\n\tcode\n\nDeprecated: no.",
		"Placed\n - a\n - b\n\n# Head\n\n[a]: https://b",
		"*/ //",
		"Placed\n\n1. a\n2. b",
		"Placen ancedun\nos\n\tcod\tcode\nG\n\nDeprecated: no.", // a heading once gofmt has moved the code
	} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip("no source of Go")
		}
		comment := &ast.CommentGroup{}
		for line := range strings.SplitSeq(text, "\n") {
			if strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }) {
				t.Skip("no comment of Go")
			}
			comment.List = append(comment.List, &ast.Comment{Text: "//" + line})
		}
		flow := orders()
		flow.Publishes[0].Doc = comment.Text()
		files, err := Files(flow)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			again, err := format.Source(file.Content)
			if err != nil {
				t.Fatal(err)
			}
			if d := diff.Diff("generated", file.Content, "formatted", again); d != nil {
				t.Errorf("gofmt would change the file:\n%s", d)
			}
		}
	})
}
