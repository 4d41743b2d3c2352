// Package outbox keeps what a service wrote and what it says in agreement. A message is written down as a [Record] in
// the transaction that changes the data; a [Relay] publishes it afterwards. Either both the data and the record exist,
// or neither does.
//
//	store, err := sqlstore.NewOutbox(db, sqlstore.PostgreSQL)
//	...
//	relay, err := outbox.Start(conn, store)
//	...
//	defer relay.Close(context.Background())
//
//	tx, err := db.BeginTx(ctx, nil)
//	...
//	record, err := PlacedRecord(order) // made by acemq-gen for a publication with flow.Outbox()
//	...
//	err = store.Add(ctx, tx, record) // beside the writes of the order, in the same transaction
//	...
//	err = tx.Commit()
//	relay.Kick() // optional: publishes at once and not at the next poll
//
// # Delivery
//
// A record is marked done only after the broker has confirmed its message and put it into a queue. A relay that dies in
// between publishes the message again, under the same id: delivery is at least once, and consumers tolerate duplicates,
// for instance with package idempotency.
//
// Any number of relays may share a store. Each takes records under a lease with a token of its own; a relay whose lease
// has ended can no longer change them. Nothing is locked in the database while the broker is asked.
//
// # Order
//
// Older records go first, and no more is promised of records without an ordering key. Records with the same ordering key
// ([Record.OrderedBy]) keep their order whatever fails and however many relays run: a record waits until the older ones of
// its key are published, also while the oldest is retired. The order is that of Add, so transactions that write records of
// one key must be serialised by the application, which a lock on the aggregate's row does.
//
// # A record that cannot be published
//
// A failed publish counts as an attempt, and the record is tried again after a wait that grows, while the others go on.
// After ten attempts it is retired: kept, and no longer tried. [Store].Pending counts it, [Store].Retired lists it with
// its last error, and [Store].Release has it tried again. A connection that is down or blocked is no fault of a record
// and counts for nothing (contract: outbox, attempts).
package outbox
