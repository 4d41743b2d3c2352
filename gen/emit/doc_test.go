package emit

import (
	"strings"
	"testing"
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
				"// 	code   here", "//", "// [a]: https://b",
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
