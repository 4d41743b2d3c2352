package sqlstore

import (
	"errors"
	"strings"
)

// deadlockTries is how often a claim is made that the database ends for the sake of another transaction.
const deadlockTries = 10

// isDeadlock reports whether the database rolled a transaction back so that another one could go on: it changed nothing
// and is to be made again. PostgreSQL's drivers tell the SQLSTATE by a method, those of MySQL in their text alone: "Error
// 1213 (40001): Deadlock found".
func isDeadlock(err error) bool {
	if err == nil {
		return false
	}
	var state interface{ SQLState() string }
	if errors.As(err, &state) {
		return state.SQLState() == "40001" || state.SQLState() == "40P01"
	}
	return strings.Contains(err.Error(), " (40001): ")
}
