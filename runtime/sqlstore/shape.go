package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// shape tells the tables of a kind apart by their columns.
type shape struct {
	kind    string   // "outbox"
	columns []string // of ours
	others  []foreign
}

// foreign is a table of the same kind that another library makes.
type foreign struct {
	library string
	columns []string // that it has and those after it in the list have not
}

// check says why a table is not ours: it is missing, or of another shape.
func (s shape) check(ctx context.Context, t table, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, t.sql("SELECT * FROM {table} WHERE 1 = 0"))
	if err != nil {
		return fmt.Errorf("sqlstore: the table %s cannot be read: make it with the statements of CreateTableSQL: %w", t.name, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return fmt.Errorf("sqlstore: the table %s: %w", t.name, err)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("sqlstore: the table %s: %w", t.name, err)
	}
	missing := lacks(columns, s.columns)
	if len(missing) == 0 {
		return nil
	}
	for _, other := range s.others {
		if len(lacks(columns, other.columns)) == 0 {
			return fmt.Errorf("sqlstore: the table %s is an %s of the %s library, which keeps other columns: one table is for "+
				"one language, so give this store a table of its own", t.name, s.kind, other.library)
		}
	}
	return fmt.Errorf("sqlstore: the table %s is no %s of this module, it lacks %s: make the table with the statements of "+
		"CreateTableSQL, or name another", t.name, s.kind, strings.Join(missing, ", "))
}

// lacks returns the wanted columns that are not there. Databases differ in the case of names.
func lacks(columns, wanted []string) []string {
	var missing []string
	for _, name := range wanted {
		if !slices.ContainsFunc(columns, func(c string) bool { return strings.EqualFold(c, name) }) {
			missing = append(missing, name)
		}
	}
	return missing
}
