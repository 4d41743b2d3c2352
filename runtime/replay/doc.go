// Package replay puts messages that were set aside back into the queue that they were meant for, once what kept them
// from being handled is mended.
//
//	dead := orders.ReplayBilling(conn) // generated for each consumer; out of billing.orders.dlq, into billing.orders
//	n, err := dead.Pending(ctx)        // how many wait
//	result, err := dead.First(ctx, 100)
//	result, err = dead.All(ctx)
//
//	result, err = dead.Where(func(m *acemq.Message[orders.OrderPlaced]) bool {
//		return m.Payload.Region == "eu"
//	}).All(ctx)
//
//	result, err = replay.New(conn, "billing.orders.parked").All(ctx) // any queue, nothing decoded
//
// On the command line, the same is acemq-gen replay -url … billing.orders.dlq.
//
// # What is promised
//
//   - A message is taken off its queue only when the broker has confirmed its copy and put it into a queue. Whatever
//     ends a replay, its context, the connection, the broker or the process, and wherever it stands then, each message
//     is in one place, or there are two copies of it under one id; never none.
//   - What a filter declines goes back to where it was, once the run is over. Until then it is held, so that the broker
//     does not hand it out again.
//   - A run takes up as many messages as wait when it begins, so that one which fails again at once, and is set aside
//     again, is not moved in circles.
//   - A loss of the connection does not end a run: it goes on when the connection is back. Messages whose copy had
//     landed are then taken off, and not moved a second time.
//   - Several replays of one queue share its messages; each message is moved once.
//
// # What a copy is like
//
// Body, content type, reply address, priority and headers are those of the message, the reserved headers too, except
// for these (contract: patterns, replay):
//
//	x-acemq-attempt         1, so that the retry policy begins anew; as it was with KeepingAttempts
//	x-acemq-error           none, for it belonged to the attempt that failed; as it was with KeepingAttempts
//	acemq-replayed-from     the queue that it was taken from
//	acemq-replayed-at       when, in UTC to the second: 2026-02-03T04:05:06Z
//	acemq-replay-count      how often it was replayed, this time among them
//	x-acemq-replayed-from   none; this and its kin were written by early releases, whose count is counted on
//	x-death and its kin     none, as for every copy
//
// The id stays, and x-acemq-first-seen does: a policy that gives up after an age gives a replayed message up that is
// older, on its first failure. The copy is persistent and goes through the default exchange, to its queue alone.
//
// # What is not
//
// What is declined is held unacknowledged, and RabbitMQ takes that back after half an hour, its consumer timeout. The
// run then sees the same messages again, and goes on. A queue beside a queue of work is classic; if it is a quorum queue
// with a delivery limit, being held counts as a delivery, so that after many selective replays the broker takes a
// message off. The run ends with an error before that.
package replay
