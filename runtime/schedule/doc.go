// Package schedule delivers messages later, by the ladder of queues that the schedulers of the AceMQ libraries share.
//
//	scheduler, err := schedule.Run(ctx, conn) // in one process at least
//	...
//	defer scheduler.Close(context.Background())
//
//	err = invoices.PublishAfter(ctx, 4*time.Hour, invoice) // generated: flow.Schedulable()
//	err = schedule.At(ctx, publisher, renewal, policy)     // by hand, on any *acemq.Publisher
//
// # How a message waits
//
// A message waits in the queues acemq.schedule.{1h, 10m, 1m, 10s, 1s}, its rungs. Whatever leaves a rung comes out in
// the queue acemq.schedule.due, and a scheduler puts it into the longest rung that is not longer than what is left, or
// delivers it when that is less than a second. No queue of another length is ever needed, and a short wait never stands
// behind a long one, because everything in a rung waits equally long.
//
// # What is promised
//
//   - A message that was scheduled without an error is on disk, and is delivered once its moment has come, as long as
//     some process of any AceMQ library runs a scheduler. While none does, messages wait in acemq.schedule.due. Any
//     number of schedulers share the work.
//   - A message arrives as it would have been published: its body, content type, id, type, version, correlation,
//     causation, origin, claim, reply address, priority and headers, traceparent among them. Its attempt is 1, and its
//     first-seen is the moment of the delivery, so that an age limit counts from there.
//   - Where no queue is bound for a message, or a rung is missing, the message is kept and tried again every 5 seconds.
//   - A message that is due in less than a second, or was due, is published at once, and its outcome is that of a
//     publish.
//
// # What is not
//
//   - Accuracy is about a second in both directions: a rest of less than a second is not waited out, and each rung lets
//     a message out a little late.
//   - A long wait costs several hops: 4 hours are four, 90 seconds are four, a day is 24. What the hops are late is made
//     up for in the shorter rungs, so on a busy broker it is more of them. [Counts].Hops divided by [Counts].Delivered
//     is the average.
//   - A crash between a hop and its acknowledgement repeats the hop, so a message may be delivered twice, under the same
//     id. Idempotent consumers take it once.
//   - Messages are delivered in the order of their moments, but for those of the same second.
//   - Deleting acemq.schedule, a rung or acemq.schedule.due loses the messages that wait there, or come out meanwhile.
//   - A message that passes through the scheduler of another library is delivered as that library does it: by those of
//     Go, Python and Java with its own headers, by those of .NET and Ruby without, and by all of them under a fresh
//     envelope of the type ScheduledMessage. Where envelopes matter, run schedulers of this package alone.
package schedule
