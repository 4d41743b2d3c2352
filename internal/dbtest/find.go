package dbtest

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/acemq/acemq-gen/internal/testserver"
)

// programs are what a server is made of.
type programs struct {
	serve      string
	initialise string
	user       string // whom Debian's package made for it
}

// packages are Debian's.
var packages = map[Kind]string{PostgreSQL: "postgresql", MariaDB: "mariadb-server"}

// find returns the programs of an installed server, and installs Debian's package where there is none.
func find(ctx context.Context, kind Kind) (programs, error) {
	if p, ok := installed(kind); ok {
		return p, nil
	}
	if err := testserver.Install(ctx, packages[kind]); err != nil {
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
