package sqlstore

// A record's state is 0 while it waits, 1 once it is retired and 2 once it is published. One that waits may be on lease or
// postponed: it may be claimed from due_at on. The others are never due.

var postgresOutbox = []string{`CREATE TABLE IF NOT EXISTS {table} (
	seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	id           VARCHAR(255) NOT NULL UNIQUE,
	exchange     VARCHAR(255) NOT NULL,
	routing_key  VARCHAR(255) NOT NULL,
	content_type VARCHAR(255) NOT NULL,
	reply_to     VARCHAR(255) NOT NULL,
	priority     SMALLINT NOT NULL,
	expires_ms   BIGINT NOT NULL,
	headers      TEXT NOT NULL,
	body         BYTEA NOT NULL,
	ordering_key VARCHAR(255),
	state        SMALLINT NOT NULL DEFAULT 0,
	attempts     INTEGER NOT NULL DEFAULT 0,
	last_error   VARCHAR(1000),
	locked_by    VARCHAR(64),
	due_at       BIGINT NOT NULL DEFAULT 0,
	created_at   BIGINT NOT NULL,
	settled_at   BIGINT
)`,
	`CREATE INDEX IF NOT EXISTS {table}_state ON {table} (state, seq)`,
	`CREATE INDEX IF NOT EXISTS {table}_key ON {table} (ordering_key, state, seq) WHERE ordering_key IS NOT NULL`,
	`CREATE INDEX IF NOT EXISTS {table}_settled ON {table} (settled_at) WHERE settled_at IS NOT NULL`,
}

// Keys differ when a byte differs, so in MySQL they are bytes.
var mysqlOutbox = []string{`CREATE TABLE IF NOT EXISTS {table} (
	seq          BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
	id           VARBINARY(255) NOT NULL UNIQUE,
	exchange     VARCHAR(255) NOT NULL,
	routing_key  VARCHAR(255) NOT NULL,
	content_type VARCHAR(255) NOT NULL,
	reply_to     VARCHAR(255) NOT NULL,
	priority     SMALLINT NOT NULL,
	expires_ms   BIGINT NOT NULL,
	headers      LONGTEXT NOT NULL,
	body         LONGBLOB NOT NULL,
	ordering_key VARBINARY(255),
	state        SMALLINT NOT NULL DEFAULT 0,
	attempts     INTEGER NOT NULL DEFAULT 0,
	last_error   VARCHAR(1000),
	locked_by    VARCHAR(64),
	due_at       BIGINT NOT NULL DEFAULT 0,
	created_at   BIGINT NOT NULL,
	settled_at   BIGINT,
	INDEX {table}_state (state, seq),
	INDEX {table}_key (ordering_key, state, seq),
	INDEX {table}_settled (settled_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4`}

var sqliteOutbox = []string{`CREATE TABLE IF NOT EXISTS {table} (
	seq          INTEGER PRIMARY KEY,
	id           TEXT NOT NULL UNIQUE,
	exchange     TEXT NOT NULL,
	routing_key  TEXT NOT NULL,
	content_type TEXT NOT NULL,
	reply_to     TEXT NOT NULL,
	priority     INTEGER NOT NULL,
	expires_ms   INTEGER NOT NULL,
	headers      TEXT NOT NULL,
	body         BLOB NOT NULL,
	ordering_key TEXT,
	state        INTEGER NOT NULL DEFAULT 0,
	attempts     INTEGER NOT NULL DEFAULT 0,
	last_error   TEXT,
	locked_by    TEXT,
	due_at       INTEGER NOT NULL DEFAULT 0,
	created_at   INTEGER NOT NULL,
	settled_at   INTEGER
)`,
	`CREATE INDEX IF NOT EXISTS {table}_state ON {table} (state, seq)`,
	`CREATE INDEX IF NOT EXISTS {table}_key ON {table} (ordering_key, state, seq)`,
	`CREATE INDEX IF NOT EXISTS {table}_settled ON {table} (settled_at)`,
}

// The columns that tell the outboxes of the family apart (contract: outbox, tables).
var outboxShape = shape{
	kind: "outbox",
	columns: []string{"seq", "id", "exchange", "routing_key", "content_type", "reply_to", "priority", "expires_ms", "headers",
		"body", "ordering_key", "state", "attempts", "last_error", "locked_by", "due_at", "created_at", "settled_at"},
	others: []foreign{
		{"AceMQ Java", []string{"message_type", "payload"}},
		{"AceMQ .NET", []string{"type", "payload"}},
		{"AceMQ Ruby", []string{"exchange_name", "body_encoding"}},
		{"AceMQ Python", []string{"exchange_name", "body"}},
		{"AceMQ Go", []string{"exchange", "body", "content_type"}},
	},
}
