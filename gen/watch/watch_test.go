package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/write"
)

// shop is a module in which orders imports billing, and nothing imports stock.
var shop = map[string]string{
	"go.mod":                                "module example.com/shop\n\ngo 1.26\n",
	"orders/flow.go":                        "package orders\n\nimport _ \"example.com/shop/billing\"\n",
	"orders/acemq_slips_gen.go":             "package orders\n",
	"orders/schemas/order.v1.schema.json":   "{}\n",
	"billing/billing.go":                    "package billing\n",
	"stock/stock.go":                        "package stock\n",
	"stock/schemas/stock.v1.schema.json":    "{}\n",
	"orders/testdata/fixture/fixture.go":    "package fixture\n",
	"orders/testdata/wire/order.v1.json":    "{}\n",
	"nested/go.mod":                         "module example.com/nested\n",
	"nested/nested.go":                      "package nested\n",
	"orders/schemas/removed.v1.schema.json": "{}\n",
}

// bench is a module with a watcher of ./orders that has looked after a run.
type bench struct {
	*testing.T
	dir     string
	watcher *Watcher
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{T: t, dir: t.TempDir()}
	for name, text := range shop {
		b.save(name, text)
	}
	b.start("./orders")
	return b
}

func (b *bench) start(patterns ...string) {
	b.Helper()
	watcher, err := New(b.Context(), load.Config{Dir: b.dir, Patterns: patterns, Env: append(os.Environ(), "GOWORK=off")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { watcher.Close() })
	b.watcher = watcher
	b.look()
	b.look() // up to here, what was there before the first one counts
}

// look looks as after a run that has left a generated file, and has removed another.
func (b *bench) look() {
	b.Helper()
	plan := write.Plan{
		{Path: b.path("orders/acemq_slips_gen.go"), State: write.Same, Wanted: []byte("package orders\n")},
		{Path: b.path("orders/acemq_sagas_gen.go"), State: write.Orphan},
	}
	if err := b.watcher.Look(b.Context(), plan); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, filepath.FromSlash(name)) }

func (b *bench) save(name, text string) {
	b.Helper()
	b.check(os.MkdirAll(filepath.Dir(b.path(name)), 0o777))
	b.check(os.WriteFile(b.path(name), []byte(text), 0o666))
}

func (b *bench) rename(from, to string) {
	b.Helper()
	b.check(os.Rename(b.path(from), b.path(to)))
}

func (b *bench) remove(name string) {
	b.Helper()
	b.check(os.RemoveAll(b.path(name)))
}

func (b *bench) check(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// asks reports whether the watcher asks for a run within a time.
func (b *bench) asks(within time.Duration) bool {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), within)
	defer cancel()
	err := b.watcher.Wait(ctx)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		b.Fatal(err)
	}
	return err == nil
}

const (
	soon  = 10 * time.Second       // is enough on a busy machine
	quiet = 450 * time.Millisecond // is long enough to say that nothing comes
)

// What counts asks for one run, and what does not for none.
func TestWhatCounts(t *testing.T) {
	for _, test := range []struct {
		name   string
		act    func(*bench)
		counts bool
	}{
		{"a file of the package", func(b *bench) { b.save("orders/flow.go", "package orders\n") }, true},
		{"a file of an imported package", func(b *bench) { b.save("billing/billing.go", "package billing\n\n") }, true},
		{"a file of another package", func(b *bench) { b.save("stock/stock.go", "package stock\n\n") }, false},
		{"a file of another module", func(b *bench) { b.save("nested/nested.go", "package nested\n\n") }, false},
		{"go.mod", func(b *bench) { b.save("go.mod", "module example.com/shop\n\ngo 1.25\n") }, true},
		{"the time of a file", func(b *bench) {
			b.check(os.Chtimes(b.path("orders/flow.go"), time.Now(), time.Now()))
		}, false},
		{"a test", func(b *bench) { b.save("orders/flow_test.go", "package orders\n") }, false},
		{"no Go", func(b *bench) { b.save("orders/README.md", "Orders") }, false},
		{"a fixture", func(b *bench) { b.save("orders/testdata/fixture/fixture.go", "package fixture\n\n") }, false},
		{"what an editor keeps beside a file", func(b *bench) {
			b.save("orders/.flow.go.swp", "")
			b.save("orders/flow.go~", "")
			b.save("orders/4913", "")
			b.save("orders/.#flow.go", "")
			b.remove("orders/4913")
		}, false},
		{"a file in pieces", func(b *bench) {
			for n := range 5 {
				b.save("orders/flow.go", "package orders\n"[:3*n+3])
				time.Sleep(30 * time.Millisecond)
			}
		}, true},
		{"a file that is moved into place", func(b *bench) {
			b.save("orders/flow.go.tmp", "package orders\n")
			b.rename("orders/flow.go", "orders/flow.go~")
			b.rename("orders/flow.go.tmp", "orders/flow.go")
			b.remove("orders/flow.go~")
		}, true},
		{"the lock of a message", func(b *bench) { b.save("orders/schemas/order.v1.schema.json", "[]\n") }, true},
		{"a lock that is removed", func(b *bench) { b.remove("orders/schemas/removed.v1.schema.json") }, true},
		{"the lock of another package", func(b *bench) { b.save("stock/schemas/stock.v1.schema.json", "[]\n") }, false},
		{"the run's own output", func(b *bench) {
			b.save("orders/.acemq_slips_gen.go.1.tmp", "package orders\n")
			b.rename("orders/.acemq_slips_gen.go.1.tmp", "orders/acemq_slips_gen.go")
			b.save("orders/acemq_sagas_gen.go", "package orders\n")
			b.remove("orders/acemq_sagas_gen.go")
		}, false},
		{"output that somebody changes", func(b *bench) { b.save("orders/acemq_slips_gen.go", "package order\n") }, true},
		{"output that somebody removes", func(b *bench) { b.remove("orders/acemq_slips_gen.go") }, true},
		{"a package that appears", func(b *bench) { b.save("returns/eu/flow.go", "package eu\n") }, true},
		{"a package that vanishes", func(b *bench) { b.remove("orders") }, true},
		{"a package that is moved away", func(b *bench) { b.rename("billing", "accounting") }, true},
		{"another package that vanishes", func(b *bench) { b.remove("stock") }, false},
		{"a directory without Go", func(b *bench) { b.check(os.Mkdir(b.path("docs"), 0o777)) }, false},
		{"a directory that the go command does not read", func(b *bench) { b.save("_old/flow.go", "package old\n") }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			test.act(b)
			if !test.counts {
				if b.asks(quiet) {
					t.Error("it asks for a run")
				}
				return
			}
			if !b.asks(soon) {
				t.Fatal("it asks for no run")
			}
			if b.asks(quiet) {
				t.Error("it asks for a second run")
			}
		})
	}
}

// A package that vanishes and comes back is watched as before, and so is one that moves.
func TestWhatComesBack(t *testing.T) {
	b := newBench(t)
	for _, step := range []struct {
		name string
		act  func()
	}{
		{"moves away", func() { b.rename("orders", "elsewhere") }},
		{"comes back", func() { b.rename("elsewhere", "orders") }},
		{"is saved", func() { b.save("orders/flow.go", shop["orders/flow.go"]) }},
		{"is removed", func() { b.remove("orders") }},
		{"is written again", func() { b.save("orders/flow.go", shop["orders/flow.go"]) }},
		{"is saved again", func() { b.save("orders/flow.go", "package orders\n\nimport _ \"example.com/shop/stock\"\n") }},
		{"imports another, which is saved", func() { b.save("stock/stock.go", "package stock\n\n") }},
		{"imports what is not there", func() { b.save("orders/flow.go", "package orders\n\nimport _ \"example.com/shop/tax\"\n") }},
		{"has it then", func() { b.save("tax/tax.go", "package tax\n") }},
	} {
		step.act()
		if !b.asks(soon) {
			t.Fatalf("a package that %s asks for no run", step.name)
		}
		b.look()
	}
}

// A package may vanish while the watcher looks.
func TestWhatVanishesMeanwhile(t *testing.T) {
	b := newBench(t)
	b.rename("orders", "_orders")
	b.look()
	if !b.asks(soon) {
		t.Error("a package that has vanished asks for no run")
	}
}

// While go.mod cannot be read, every package counts.
func TestBrokenModule(t *testing.T) {
	b := newBench(t)
	b.save("go.mod", "modul example.com/shop\n")
	if !b.asks(soon) {
		t.Fatal("go.mod asks for no run")
	}
	b.look()
	b.save("stock/stock.go", "package stock\n\n")
	if !b.asks(soon) {
		t.Error("a package asks for no run")
	}
}

// Packages of other modules on this machine count where they are imported.
func TestOtherModules(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"of a workspace": {"go.work": "go 1.26\n\nuse (\n\t./shop\n\t./books\n)\n"},
		"that replaces another": {"shop/go.mod": shop["go.mod"] + "\nrequire example.com/books v1.0.0\n\n" +
			"replace example.com/books => ../books\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b := &bench{T: t, dir: t.TempDir()}
			for file, text := range shop {
				b.save("shop/"+file, text)
			}
			b.save("shop/orders/flow.go", "package orders\n\nimport _ \"example.com/books\"\n")
			b.save("books/go.mod", "module example.com/books\n\ngo 1.26\n")
			b.save("books/books.go", "package books\n")
			for file, text := range files {
				b.save(file, text)
			}
			t.Chdir(b.path("shop"))
			t.Setenv("GOWORK", "") // as the go command finds it
			watcher, err := New(t.Context(), load.Config{Patterns: []string{"./orders"}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { watcher.Close() })
			b.watcher = watcher
			b.look()
			b.save("books/books.go", "package books\n\n")
			if !b.asks(soon) {
				t.Error("a package of the module asks for no run")
			}
		})
	}
}

func TestNoModule(t *testing.T) {
	cfg := load.Config{Dir: t.TempDir(), Env: append(os.Environ(), "GOWORK=off")}
	if _, err := New(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "there is no go.mod here") {
		t.Errorf("the error is %v", err)
	}
}
