package emit

import (
	"testing"
	"time"

	"github.com/acemq/acemq-gen/gen/model"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/request"
)

func TestFailureWords(t *testing.T) {
	exponential := func(attempts int, initial, limit time.Duration) *model.Retry {
		return &model.Retry{Constructor: "Exponential", Attempts: attempts, Initial: initial, Limit: limit}
	}
	fixed := func(attempts int, delay time.Duration) *model.Retry {
		return &model.Retry{Constructor: "Fixed", Attempts: attempts, Initial: delay}
	}
	aged := fixed(3, time.Second)
	aged.GiveUpAfter = ptr(24 * time.Hour)
	early := exponential(4, time.Second, 0)
	early.BrokerFrom = ptr(2 * time.Second)
	for _, test := range []struct {
		name  string
		queue model.Queue
		want  string
	}{
		{"no policy", model.Queue{}, "A message that fails is tried again every 5s, for ever."},
		{"a delay", model.Queue{RetryDelay: 90 * time.Second}, "A message that fails is tried again every 1m30s, for ever."},
		{"requeue", model.Queue{RequeueOnFailure: true}, "A message that fails goes back to the queue at once, for ever."},
		{
			"no retry", model.Queue{Retry: &model.Retry{Constructor: "NoRetry"}},
			`A message that fails goes to "q.dlq" at once.`,
		},
		{"one attempt", model.Queue{Retry: fixed(1, time.Second)}, `A message that fails goes to "q.dlq" at once.`},
		{
			"two attempts", model.Queue{Retry: fixed(2, time.Second)},
			`A message that fails is delivered 2 times at most, after 1s; then it goes to "q.dlq".`,
		},
		{
			"fixed", model.Queue{Retry: fixed(4, 30*time.Second)},
			`A message that fails is delivered 4 times at most, 30s apart; then it goes to "q.dlq". ` +
				`The wait of 30s is spent in "q.retry.30s".`,
		},
		{
			"exponential", model.Queue{Retry: exponential(5, time.Second, time.Minute)},
			`A message that fails is delivered 5 times at most, after 1s, 2s, 4s and 8s; then it goes to "q.dlq".`,
		},
		{
			"exponential up to its limit", model.Queue{Retry: exponential(6, time.Second, 4*time.Second)},
			`A message that fails is delivered 6 times at most, after 1s, 2s and then 4s each time; then it goes to "q.dlq".`,
		},
		{
			"many attempts", model.Queue{Retry: exponential(12, time.Second, time.Hour)},
			`A message that fails is delivered 12 times at most, after 1s, 2s, 4s and so on up to 17m4s; ` +
				`then it goes to "q.dlq". The waits of 32s to 17m4s are spent in "q.retry.32s" to "q.retry.1024s".`,
		},
		{
			"an age", model.Queue{Retry: aged},
			`A message that fails is delivered 3 times at most, 1s apart; then, or once it is 24h old, it goes to "q.dlq".`,
		},
		{
			"rungs", model.Queue{Retry: early},
			`A message that fails is delivered 4 times at most, after 1s, 2s and 4s; then it goes to "q.dlq". ` +
				`The waits of 2s to 4s are spent in "q.retry.2s" to "q.retry.4s".`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.queue.Broker = "q"
			if got := failureWords(&test.queue); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestDefaultRetryDelayIsTheRuntimes(t *testing.T) {
	if model.DefaultRetryDelay != acemq.DefaultRetryDelay {
		t.Errorf("doc comments speak of %v, the runtime waits %v", model.DefaultRetryDelay, acemq.DefaultRetryDelay)
	}
}

func TestLoadWords(t *testing.T) {
	for _, test := range []struct {
		queue model.Queue
		want  string
	}{
		{model.Queue{}, ""},
		{model.Queue{Prefetch: 1}, " It holds 1 message at most (prefetch)."},
		{model.Queue{Prefetch: 50}, " It holds 50 messages at most (prefetch)."},
		{model.Queue{Concurrency: 1}, " One handler runs at a time."},
		{
			model.Queue{Prefetch: 50, Concurrency: 4},
			" It holds 50 messages at most (prefetch). Up to 4 handlers run at once.",
		},
	} {
		if got := loadWords(&test.queue); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.queue, got, test.want)
		}
	}
}

func TestCallsWaitAsLongAsTheirCommentSays(t *testing.T) {
	if callTimeout != request.DefaultTimeout {
		t.Errorf("generated comments say that a call waits for %v, and it waits for %v", callTimeout, request.DefaultTimeout)
	}
}
