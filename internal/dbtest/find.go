package dbtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// programs are what a server is made of.
type programs struct {
	serve      string
	initialise string
	user       string // whom Debian's package made for it
}

// find returns the programs of an installed server, and installs Debian's package where there is none.
func find(ctx context.Context, kind Kind) (programs, error) {
	if p, ok := installed(kind); ok {
		return p, nil
	}
	if err := install(ctx, kind); err != nil {
		return programs{}, fmt.Errorf("found no %s, and Debian's package cannot be installed (%w): install it, or set %s to "+
			"one that tests may use", kind, err, kind.Variable())
	}
	p, ok := installed(kind)
	if !ok {
		return programs{}, fmt.Errorf("the package of %s was installed, and its programs are not where they should be", kind)
	}
	return p, nil
}

func installed(kind Kind) (programs, bool) {
	switch kind {
	case PostgreSQL:
		serve := program("postgres", "/usr/lib/postgresql/*/bin")
		initialise := program("initdb", "/usr/lib/postgresql/*/bin")
		return programs{serve, initialise, "postgres"}, serve != "" && initialise != ""
	case MariaDB:
		serve := program("mariadbd", "/usr/sbin", "/usr/libexec")
		initialise := program("mariadb-install-db", "/usr/bin")
		return programs{serve, initialise, "mysql"}, serve != "" && initialise != ""
	}
	return programs{}, false
}

// program finds a program in directories, of which the last counts, or in the path. Servers are not in everybody's path.
func program(name string, dirs ...string) string {
	for _, dir := range dirs {
		if files, _ := filepath.Glob(filepath.Join(dir, name)); len(files) > 0 {
			return files[len(files)-1]
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return ""
	}
	return path
}

// install installs Debian's package and keeps its service from starting.
func install(ctx context.Context, kind Kind) error {
	if os.Geteuid() != 0 {
		return errors.New("not root")
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return errors.New("no apt-get")
	}
	name := map[Kind]string{PostgreSQL: "postgresql", MariaDB: "mariadb-server"}[kind]
	const script = `set -e
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
apt-get update -qq
apt-get install -y -qq --no-install-recommends "$1"`
	out, err := exec.CommandContext(ctx, "sh", "-c", script, "dbtest", name).CombinedOutput()
	if err != nil {
		return fmt.Errorf("apt-get: %w: %s", err, tail(out))
	}
	return nil
}

// tail returns the last few hundred bytes of what a program printed.
func tail(out []byte) []byte {
	const most = 600
	if len(out) > most {
		return out[len(out)-most:]
	}
	return out
}
