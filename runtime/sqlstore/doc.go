// Package sqlstore keeps outboxes and idempotency keys in the service's own database, over database/sql: PostgreSQL, MySQL
// from 8.0, MariaDB from 10.6, and SQLite from 3.38. It brings no driver; any will do.
//
// What makes both worth having is that they share the transaction of the application's own writes. [Outbox.Add] and
// [Idempotency.ConfirmIn] take that transaction and nothing else: a pool, which would write outside it, does not compile.
//
// # Tables
//
// Each store has one table, made by a migration with the statements of its CreateTableSQL, or by its CreateTable. The
// tables are this module's own. Those that the AceMQ libraries of other languages make have other columns, so one table is
// never for two languages; the first use of a store refuses such a table and says whose it is. Times are whole
// milliseconds since 1970 by the database's clock, so the clocks of the processes do not matter.
//
// # SQLite
//
// A transaction that reads first and writes later fails at once where somebody else wrote in between, whatever the busy
// timeout is. Open the database so that transactions take the write lock when they begin. With modernc.org/sqlite:
//
//	file:service.db?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)
package sqlstore
