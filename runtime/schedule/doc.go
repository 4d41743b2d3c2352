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
//   - A message that was scheduled without an error is on disk in a rung, and is delivered once its moment has come, as long as
//     some process of any AceMQ library runs a scheduler. While none does, messages wait in acemq.schedule.due. Any
//     number of schedulers share the work.
//   - A message arrives as it would have been published: its body, content type, id, type, version, correlation,
//     causation, origin, claim, reply address, priority and headers, traceparent among them. Its attempt is 1, and its
//     first-seen is the moment of the delivery, so that an age limit counts from there.
//   - Where no queue is bound for a message, or its rung is missing, the message is kept and tried again every 5 seconds,
//     and every 10 where that befalls more than 25 at once. Others are not held up.
//   - A message that is due in less than a second, or was due, is published at once, and its outcome is that of a
//     publish.
//
// # What is not
//
//   - Accuracy is about a second in both directions: a rest of less than a second is not waited out, and each rung lets
//     a message out some milliseconds late. Messages whose moments are closer may change places.
//   - A long wait costs several hops: 90 seconds are four, 4 hours are four, a day is 24. What the hops are late is
//     missing to the next whole rung, and made up for in shorter ones: a day is 51 hops at most, 90 seconds are 12.
//     [Counts].Hops divided by [Counts].Delivered is the average.
//   - A crash between a hop and its acknowledgement repeats the hop, so a message may be delivered twice, under the same
//     id. Idempotent consumers take it once.
//   - A broker that is killed may lose what came out of a rung at that moment: RabbitMQ moves such messages without
//     waiting for the disk. What lies in a rung is safe.
//   - Deleting acemq.schedule, a rung or acemq.schedule.due loses the messages that wait there, or come out meanwhile.
//     What is missing is declared again when a scheduler or a connection starts, and a rung when a message needs it.
//
// # Beside other libraries
//
// Messages, queues and hops are those of all AceMQ libraries, whose schedulers take each other's messages. What a
// message has beside its body, address and content type is this package's own addition. It travels in headers that
// other libraries take for the application's: the envelope under x-schedule-id, x-schedule-type and so on, and the
// application's headers as they are.
//
//	the message passes through           what is left of envelope and headers
//	schedulers of this package           all
//	a hop by Go, Python or Java          all
//	a hop by .NET or Ruby                neither
//	delivery by Go, Python or Java       the headers, with x-schedule-id and its kin among them
//	delivery by .NET or Ruby             neither
//
// Where the envelope is lost the message is delivered under a fresh one, of the type ScheduledMessage, as every message
// of theirs is. Where it matters, run schedulers of this package alone.
package schedule
