package sqlstore

import "strings"

// deadlockTries is how often a claim is made that the database ends for the sake of another transaction.
const deadlockTries = 10

// isDeadlock reports whether the database rolled a transaction back so that another one could go on: it changed nothing
// and is to be made again. Each driver has an error type of its own for it, and all of them name the SQLSTATE.
func isDeadlock(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "40001") || strings.Contains(err.Error(), "40P01"))
}
