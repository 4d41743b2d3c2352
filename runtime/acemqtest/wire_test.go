package acemqtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWireSamples(t *testing.T) {
	type text struct{ A string }
	type number struct{ A int }
	for name, test := range map[string]struct {
		files   map[string]string
		readers []Reader
		want    []string // parts of the errors, in their order
	}{
		"readable": {
			files:   map[string]string{"a.b.v1.json": `{"A":"x"}`, "a.b.v2.json": `{"A":1}`, "c%2Fd.v1.json": `{"gone":true}`},
			readers: []Reader{Reads[text]("a.b", 1), Reads[number]("a.b", 2), Reads[text]("c/d", 1)},
		},
		"an old version that the newest type reads": {
			files:   map[string]string{"a.v1.json": `{"A":1}`, "a.v2.json": `{"A":2}`, "a.v3.json": `{"A":3}`},
			readers: []Reader{Reads[text]("a", 1), Reads[number]("a", 3)},
			want:    []string{"a, version 1, cannot be read by the type of version 1: json: cannot unmarshal number"},
		},
		"an old version that it does not read": {
			files:   map[string]string{"a.v1.json": `{"A":"x"}`, "a.v2.json": `{"A":2}`},
			readers: []Reader{Reads[number]("a", 2)},
			want:    []string{"a, version 1, cannot be read by the type of version 2"},
		},
		"of no type": {
			files:   map[string]string{"a.v1.json": `{`, "readme.md": "", "b.json": "", "b.v1.json": `{}`},
			readers: []Reader{Reads[text]("b", 1)},
		},
		"missing": {
			files:   map[string]string{"a.v1.json": `{}`},
			readers: []Reader{Reads[text]("a", 1), Reads[text]("a", 2)},
			want:    []string{"a, version 2, has no sample in "},
		},
		"no directory": {
			readers: []Reader{Reads[text]("a", 1)},
			want:    []string{"the samples are missing: run go generate"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "wire")
			if test.files != nil {
				if err := os.Mkdir(dir, 0o777); err != nil {
					t.Fatal(err)
				}
			}
			for file, content := range test.files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			errs := readSamples(dir, test.readers)
			if len(errs) != len(test.want) {
				t.Fatalf("got %v, want %d errors", errs, len(test.want))
			}
			for i, want := range test.want {
				if !strings.Contains(errs[i].Error(), want) {
					t.Errorf("got %v, want %q in it", errs[i], want)
				}
			}
		})
	}
}
