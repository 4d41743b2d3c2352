package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/mod/modfile"
)

var update = flag.Bool("update", false, "write what the scripts compare with")

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"acemq-gen": main}) }

// TestScripts runs testdata/scripts, a behaviour an archive. Each archive is a module of its own that knows this one by
// a replace directive and needs no network.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	goEnv := goEnv(t, "GOMODCACHE", "GOCACHE")
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(root, "testdata", "scripts"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"age":       age,
			"crlf":      crlf,
			"until":     until,
			"untouched": untouched,
		},
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, goEnv...)
			env.Vars = append(env.Vars, "ROOT="+root, "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOENV=off",
				"GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
			return module(env.WorkDir, root)
		},
	})
}

func goEnv(t *testing.T, names ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	vars := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i := range vars {
		vars[i] = names[i] + "=" + vars[i]
	}
	return vars
}

// module makes an archive a module: with the go.mod of a user who has the tool, unless it brings one of its own, in
// which $ROOT is the path of this module.
func module(dir, root string) error {
	brought := false
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.Name() != "go.mod" && entry.Name() != "go.work" {
			return err
		}
		brought = true
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte("$ROOT"), []byte(root))
		return errors.Join(os.WriteFile(path, text, 0o666), copySums(filepath.Dir(path), root))
	})
	if err != nil || brought {
		return err
	}
	text, err := userModule(root)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, "go.mod"), text, 0o666), copySums(dir, root))
}

// userModule returns the go.mod of a module that has this one as a tool, as go mod tidy would leave it.
func userModule(root string) ([]byte, error) {
	path := filepath.Join(root, "go.mod")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := modfile.Parse(path, text, nil)
	if err != nil {
		return nil, err
	}
	user := &modfile.File{}
	own := file.Module.Mod.Path
	err = errors.Join(user.AddModuleStmt("example.com/shop"), user.AddGoStmt(file.Go.Version),
		user.AddRequire(own, "v0.0.0"), user.AddReplace(own, "", root, ""), user.AddTool(own+"/cmd/acemq-gen"))
	for _, r := range file.Require {
		user.AddNewRequire(r.Mod.Path, r.Mod.Version, true)
	}
	return modfile.Format(user.Syntax), err
}

func copySums(dir, root string) error {
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666)
}

// crlf gives files the line ends of Windows: crlf file...
func crlf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: crlf file...")
	}
	for _, name := range args {
		text := strings.ReplaceAll(ts.ReadFile(name), "\n", "\r\n")
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o666))
	}
}

// age sets the time of files to one long ago: age file...
func age(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: age file...")
	}
	for _, name := range args {
		ts.Check(os.Chtimes(ts.MkAbs(name), longAgo, longAgo))
	}
}

// untouched fails where a file is not as old as age made it: untouched file...
func untouched(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: untouched file...")
	}
	for _, name := range args {
		info, err := os.Stat(ts.MkAbs(name))
		ts.Check(err)
		if !info.ModTime().Equal(longAgo) {
			ts.Fatalf("%s was written", name)
		}
	}
}

// until waits for a file to match a pattern, for as long as a busy machine may take: until file pattern
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: until file pattern")
	}
	pattern, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && pattern.Match(text) {
			return
		}
	}
	ts.Fatalf("%s does not match %s in time", args[0], args[1])
}

var longAgo = time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)
