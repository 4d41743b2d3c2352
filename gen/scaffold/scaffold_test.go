package scaffold

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

var files = fstest.MapFS{
	"main.go.tmpl":        {Data: []byte("import {{.Orders}}")},
	"orders/flow.go.tmpl": {Data: []byte("package orders")},
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestNewRefuses(t *testing.T) {
	tests := map[string]struct {
		mod  string
		dir  string
		want string
	}{
		"no module":       {"", "a", "there is no go.mod in"},
		"a broken go.mod": {"modul x", "a", "go.mod:1"},
		"no module path":  {"go 1.26", "a", "names no module: run go mod init"},
		"not a path":      {"module example.com/x", "a b", "choose another directory"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if test.mod != "" {
				put(t, filepath.Join(root, "go.mod"), test.mod)
			}
			_, err := New(filepath.Join(root, test.dir), files)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestWriteIsAllOrNothing(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "go.mod"), "module example.com/x\ntool "+Tool+"\n")
	s, err := New(root, files)
	if err != nil {
		t.Fatal(err)
	}
	if !s.HasTool {
		t.Error("the tool of the go.mod was not found")
	}
	flow := filepath.Join(root, "orders", "flow.go")
	put(t, flow, "mine")
	if err := s.Write(); err == nil || !strings.Contains(err.Error(), "flow.go is there already") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, "main.go")); err == nil {
		t.Error("main.go was written")
	}
	if err := os.Remove(flow); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "main.go"))
	if string(text) != "import example.com/x/orders" {
		t.Errorf("main.go is %q (%v)", text, err)
	}
}
