package dbtest

import (
	"fmt"
	"net/url"

	"github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"
)

// Kind is a kind of database.
type Kind int

// The kinds. MySQL and MariaDB share the driver and the SQL of this module.
const (
	PostgreSQL Kind = iota + 1
	MariaDB
	SQLite
)

// Kinds are all kinds.
var Kinds = []Kind{PostgreSQL, MariaDB, SQLite}

func (k Kind) String() string {
	switch k {
	case PostgreSQL:
		return "PostgreSQL"
	case MariaDB:
		return "MariaDB"
	case SQLite:
		return "SQLite"
	}
	return fmt.Sprintf("kind %d", int(k))
}

// Driver returns the name of the driver in database/sql.
func (k Kind) Driver() string {
	switch k {
	case PostgreSQL:
		return "pgx"
	case MariaDB:
		return "mysql"
	}
	return "sqlite"
}

// Variable returns the environment variable that holds the data source name of the server that a test run shares.
func (k Kind) Variable() string {
	switch k {
	case PostgreSQL:
		return "ACEMQ_TEST_POSTGRES_URL"
	case MariaDB:
		return "ACEMQ_TEST_MYSQL_DSN"
	}
	return ""
}

// inDatabase returns a data source name for another database of the same server.
func (k Kind) inDatabase(source, name string) (string, error) {
	if k == PostgreSQL {
		u, err := url.Parse(source)
		if err != nil {
			return "", err
		}
		u.Path = "/" + name
		return u.String(), nil
	}
	config, err := mysql.ParseDSN(source)
	if err != nil {
		return "", err
	}
	config.DBName = name
	return config.FormatDSN(), nil
}

// sqliteURL returns the data source name of a file, opened as package sqlstore asks for it.
func sqliteURL(file string) string {
	u := url.URL{Scheme: "file", Path: file, RawQuery: "_txlock=immediate&_pragma=busy_timeout(20000)" +
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)"}
	return u.String()
}
