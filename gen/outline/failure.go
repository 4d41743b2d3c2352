package outline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// shownTries is how many tries of a schedule are listed.
const shownTries = 12

// failure returns what becomes of the messages of a queue that fail.
func failure(q *model.Queue) Failure {
	f := Failure{
		DeadLetter: []string{wire.DeadLetterQueue(q.Broker)},
		Parked:     []string{wire.ParkedQueue(q.Broker)},
	}
	switch {
	case q.RequeueOnFailure:
		f.Words = "goes back to the queue at once, for ever"
		return f
	case q.Retry == nil:
		f.Words = fmt.Sprintf("is tried again every %s, for ever", model.Spoken(cmp.Or(q.RetryDelay, model.DefaultRetryDelay)))
		return f
	}
	policy, err := q.Retry.Wire().Policy()
	if err != nil { // gen/check has refused it
		return f
	}
	for i := 1; i < policy.MaxAttempts() && i <= shownTries; i++ {
		f.Tries = append(f.Tries, try(q.Broker, policy, i))
	}
	for _, delay := range policy.RungDelays() {
		f.Rungs = append(f.Rungs, Rung{wire.RungQueue(q.Broker, delay), model.Spoken(delay)})
	}
	f.Words = policyWords(policy)
	return f
}

// try returns the delivery after a failed attempt.
func try(queue string, policy wire.Policy, attempt int) Try {
	delay := policy.Delay(attempt)
	t := Try{Number: attempt + 1, After: model.Spoken(delay)}
	if policy.WaitsInBroker(delay) {
		t.In = wire.RungQueue(queue, delay)
	}
	return t
}

// policyWords tells a policy: "is tried 5 times: after 1s, 2s, 4s and 8s".
func policyWords(policy wire.Policy) string {
	text := fmt.Sprintf("is tried %d times", policy.MaxAttempts())
	delays := policy.Schedule()
	switch {
	case len(delays) == 0:
		text = "is tried once"
	case len(delays) > 1 && delays[0] == delays[len(delays)-1]:
		text += ", " + model.Spoken(delays[0]) + " apart"
	default:
		text += ": after " + waitWords(delays)
	}
	if age := policy.MaxAge(); age > 0 {
		text += ", but not once it is " + model.Spoken(age) + " old"
	}
	return text
}

// waitWords lists delays, the last of them once and the first few of many: "1s, 2s and then 4s each time".
func waitWords(delays []time.Duration) string {
	const shown = 8
	longest := delays[len(delays)-1]
	settled := slices.Index(delays, longest)
	end := " and " + model.Spoken(longest)
	switch {
	case settled == 0:
		return model.Spoken(longest)
	case settled >= shown:
		settled, end = 3, " and so on up to "+model.Spoken(longest)
	case settled < len(delays)-1:
		end = " and then " + model.Spoken(longest) + " each time"
	}
	var words []string
	for _, delay := range delays[:settled] {
		words = append(words, model.Spoken(delay))
	}
	return strings.Join(words, ", ") + end
}

// orderedFailure returns what becomes of a message of an ordered queue that fails (contract: ordered by key, failure
// modes).
func orderedFailure(o *model.Ordered, partitions []string) Failure {
	var f Failure
	for _, queue := range partitions {
		f.DeadLetter = append(f.DeadLetter, wire.DeadLetterQueue(queue))
		f.Parked = append(f.Parked, wire.ParkedQueue(queue))
	}
	declared := o.Failure
	if declared.Mode == "" {
		declared = model.Failure{Mode: "Halt", Attempts: 3, Delay: time.Second}
	}
	tries := fmt.Sprintf("is tried %d times, %s apart", declared.Attempts, model.Spoken(declared.Delay))
	if declared.Attempts == 1 {
		tries = "is tried once"
	}
	switch declared.Mode {
	case "RetryInPlace":
		f.Words = "is tried again every " + model.Spoken(declared.Delay) + ", for ever, and holds those behind it"
	case "Skip":
		f.Words = tries + "; then the next one is taken"
	default:
		f.Words = tries + "; then its partition halts"
	}
	return f
}
