// Package dbtest gives tests real databases, as package brokertest gives them a broker: servers of PostgreSQL and MariaDB
// that are started when asked for and ended when done, and SQLite in a file.
//
// A test run is told where its servers are by the environment, so that the packages of one run share them: the command
// with-servers of package testserver starts the servers, sets the variables and runs the tests. Plain `go test` starts
// nothing: a test that needs a server is skipped and says so.
package dbtest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/testserver"
)

// Open returns an empty database of the test's own, on the run's shared server of a kind. Without the server it skips the
// test, or fails it where servers are [testserver.Required]. Tests never disturb the shared server; see [Node] for one to disturb.
func Open(t testing.TB, kind Kind) *sql.DB {
	t.Helper()
	return open(t, kind, Source(t, kind))
}

// Source is [Open] for several processes: it returns the data source name of the test's database.
func Source(t testing.TB, kind Kind) string {
	t.Helper()
	if kind == SQLite {
		return sqliteURL(filepath.Join(t.TempDir(), "test.db"))
	}
	url := os.Getenv(kind.Variable())
	if url == "" {
		testserver.Missing(t, fmt.Sprintf("this test needs %s: run `make test`, or set %s to one that tests may use", kind, kind.Variable()))
	}
	return own(t, kind, url)
}

// Node starts a server that belongs to the test, which may kill and restart it. It ends with the test. Where servers are
// not [testserver.Required], the test is skipped.
func Node(t testing.TB, kind Kind) *Server {
	t.Helper()
	return testserver.Own(t, kind.String(), func(ctx context.Context) (*Server, error) { return Start(ctx, kind) })
}

// Open returns an empty database of the test's own on the server.
func (s *Server) Open(t testing.TB) *sql.DB {
	t.Helper()
	return open(t, s.kind, own(t, s.kind, s.URL()))
}

var databases atomic.Int64

// own makes a database on a server, which is dropped at the end of the test.
func own(t testing.TB, kind Kind, url string) string {
	t.Helper()
	admin := open(t, kind, url)
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), databases.Add(1))
	if _, err := admin.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatalf("make a database for the test: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if _, err := admin.ExecContext(ctx, "DROP DATABASE "+name); err != nil {
			t.Logf("drop the database of the test: %v", err)
		}
	})
	source, err := kind.inDatabase(url, name)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func open(t testing.TB, kind Kind, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open(kind.Driver(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
