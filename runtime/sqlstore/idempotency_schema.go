package sqlstore

var postgresIdempotency = []string{`CREATE TABLE IF NOT EXISTS {table} (
	id         VARCHAR(255) PRIMARY KEY,
	confirmed  SMALLINT NOT NULL,
	expires_at BIGINT NOT NULL
)`,
	`CREATE INDEX IF NOT EXISTS {table}_expiry ON {table} (expires_at)`,
}

// Keys differ when a byte differs, so in MySQL they are bytes.
var mysqlIdempotency = []string{`CREATE TABLE IF NOT EXISTS {table} (
	id         VARBINARY(255) NOT NULL PRIMARY KEY,
	confirmed  SMALLINT NOT NULL,
	expires_at BIGINT NOT NULL,
	INDEX {table}_expiry (expires_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4`}

var sqliteIdempotency = []string{`CREATE TABLE IF NOT EXISTS {table} (
	id         TEXT NOT NULL PRIMARY KEY,
	confirmed  INTEGER NOT NULL,
	expires_at INTEGER NOT NULL
)`,
	`CREATE INDEX IF NOT EXISTS {table}_expiry ON {table} (expires_at)`,
}

// The columns that tell the idempotency tables of the family apart (contract: idempotency, tables).
var idempotencyShape = shape{
	kind:    "idempotency table",
	columns: []string{"id", "confirmed", "expires_at"},
	others: []foreign{
		{"AceMQ Java or Python", []string{"message_id", "state", "claimed_by"}},
		{"AceMQ .NET", []string{"message_id", "claimed_at", "confirmed"}},
		{"AceMQ Go", []string{"key", "handled_at"}},
	},
}
