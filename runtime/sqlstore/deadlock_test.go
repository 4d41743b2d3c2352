package sqlstore

import (
	"errors"
	"fmt"
	"testing"

	mysqldriver "github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
)

func TestIsDeadlock(t *testing.T) {
	for _, test := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{&pgconn.PgError{Code: "40P01", Message: "deadlock detected"}, true},
		{&pgconn.PgError{Code: "40001", Message: "could not serialize access"}, true},
		{&pgconn.PgError{Code: "23505", Message: "duplicate key 40001"}, false},
		{&mysqldriver.MySQLError{Number: 1213, SQLState: [5]byte([]byte("40001")), Message: "Deadlock found"}, true},
		{&mysqldriver.MySQLError{Number: 1062, SQLState: [5]byte([]byte("23000")), Message: "Duplicate entry '40001'"}, false},
		{errors.New("dial tcp 127.0.0.1:40001: connect: connection refused"), false},
	} {
		if test.err != nil {
			test.err = fmt.Errorf("claim: %w", test.err)
		}
		if got := isDeadlock(test.err); got != test.want {
			t.Errorf("%v: got %v, want %v", test.err, got, test.want)
		}
	}
}
