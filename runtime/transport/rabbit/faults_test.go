package rabbit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/internal/brokertest"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// soon is a backoff for tests that cut often.
func soon(int) time.Duration { return 5 * time.Millisecond }

// noneLeft fails when goroutines of this package or of the library outlive the test's brokers.
func noneLeft(t *testing.T) {
	t.Helper()
	var left []string
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		left = left[:0]
		buffer := make([]byte, 1<<20)
		for _, g := range strings.Split(string(buffer[:runtime.Stack(buffer, true)]), "\n\n") {
			if !strings.Contains(g, "testing.tRunner") &&
				(strings.Contains(g, "transport/rabbit.") || strings.Contains(g, "amqp091-go.")) {
				left = append(left, g)
			}
		}
		if len(left) == 0 {
			return
		}
	}
	t.Errorf("%d goroutines are left, the first:\n%s", len(left), left[0])
}

// within fails when f takes longer than d.
func within(t *testing.T, d time.Duration, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(d):
		buffer := make([]byte, 1<<20)
		t.Fatalf("%s takes longer than %v:\n%s", what, d, buffer[:runtime.Stack(buffer, true)])
	}
}

func TestCutBetweenPublishAndConfirmIsUnknown(t *testing.T) {
	url := brokertest.URL(t)
	queue, faults := classic(t, url, "cut"), new(brokertest.Faults)
	b := dial(t, url, Options{Dial: faults.Dial, Backoff: soon})
	if err := outcome(b, message(queue, "before")); err != nil {
		t.Fatal(err)
	}
	faults.StallReads()
	const count = 100
	var pendings []transport.Pending
	for n := range count {
		p, err := b.Publish(t.Context(), message(queue, fmt.Sprint(n)))
		if err != nil {
			t.Fatal(err)
		}
		pendings = append(pendings, p)
	}
	awaitReady(t, url, queue, count+1)
	faults.Cut()
	faults.Resume()
	for n, p := range pendings {
		unknown := (*transport.UnknownError)(nil)
		if err := p.Wait(t.Context()); !errors.As(err, &unknown) {
			t.Errorf("publish %d: %v, want it unknown", n, err)
		}
	}
	if err := outcome(b, message(queue, "after")); err != nil {
		t.Errorf("publish after the cut: %v", err)
	}
}

// awaitReady waits until a queue holds so many messages.
func awaitReady(t *testing.T, url, queue string, want int) {
	t.Helper()
	admin(t, url, func(ch *amqp.Channel) error {
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			q, err := ch.QueueDeclarePassive(queue, true, false, false, false, nil)
			if err != nil || q.Messages == want {
				return err
			}
			if time.Now().After(end) {
				return fmt.Errorf("queue %s holds %d messages, want %d", queue, q.Messages, want)
			}
		}
	})
}

func TestHundredCutsLoseNothingConfirmedAndLeakNothing(t *testing.T) {
	url := brokertest.URL(t)
	queue, faults := classic(t, url, "cuts"), new(brokertest.Faults)
	b := dial(t, url, Options{Dial: faults.Dial, Backoff: soon})
	c, err := b.Consume(t.Context(), transport.Subscription{Queue: queue, Prefetch: 50})
	if err != nil {
		t.Fatal(err)
	}

	handled := make(chan map[string]bool)
	go func() {
		seen := make(map[string]bool)
		for d := range c.Deliveries() {
			if d.Live() {
				seen[d.MessageID] = true
				d.Ack()
			}
		}
		handled <- seen
	}()

	ctx, stop := context.WithCancel(t.Context())
	var publishers sync.WaitGroup
	confirmed := make([][]string, 8)
	for publisher := range confirmed {
		publishers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				id := fmt.Sprint(publisher, "-", n)
				unknown := (*transport.UnknownError)(nil)
				if err := outcome(b, message(queue, id)); err == nil {
					confirmed[publisher] = append(confirmed[publisher], id)
				} else if !errors.As(err, &unknown) {
					t.Errorf("publish %s: %v, want it confirmed or unknown", id, err)
				}
			}
		})
	}
	for range 100 {
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
		faults.Cut()
	}
	stop()
	within(t, 20*time.Second, "the end of the publishers", publishers.Wait)
	if open := faults.Open(); open > 2 {
		t.Errorf("%d connections are open, want one to publish and one to consume", open)
	}
	awaitReady(t, url, queue, 0)
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	seen, total := <-handled, 0
	rest := ids(t, url, queue) // handed over and not acked in time
	for _, own := range confirmed {
		total += len(own)
		for _, id := range own {
			if !seen[id] && rest[id] == 0 {
				t.Errorf("%s was confirmed and is lost", id)
			}
		}
	}
	if total < 200 {
		t.Errorf("only %d publishes were confirmed between the cuts", total)
	}
	if open := faults.Open(); open > 0 {
		t.Errorf("%d connections are open after Close", open)
	}
	noneLeft(t)
}

func TestCloseWhileTheConnectionIsMadeLeavesNone(t *testing.T) {
	url := brokertest.URL(t)
	queue, faults := classic(t, url, "close"), new(brokertest.Faults)
	for range 30 {
		b := dial(t, url, Options{Dial: faults.Dial, Backoff: func(int) time.Duration { return 0 }})
		if _, err := b.Consume(t.Context(), transport.Subscription{Queue: queue, Prefetch: 5}); err != nil {
			t.Fatal(err)
		}
		faults.Cut()
		time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond)
		within(t, 5*time.Second, "Close", func() {
			var closers sync.WaitGroup
			for range 3 {
				closers.Go(func() { b.Close(t.Context()) })
			}
			closers.Wait()
		})
	}
	if open := faults.Open(); open > 0 {
		t.Errorf("%d connections are open after Close", open)
	}
	noneLeft(t)
}

func TestCloseKeepsItsDeadlineInEveryState(t *testing.T) {
	url := brokertest.URL(t)
	queue := classic(t, url, "states")
	for name, spoil := range map[string]func(*brokertest.Faults){
		"a good network":       func(*brokertest.Faults) {},
		"no network":           func(f *brokertest.Faults) { f.Down() },
		"nothing is received":  func(f *brokertest.Faults) { f.StallReads() },
		"nothing is sent":      func(f *brokertest.Faults) { f.StallWrites() },
		"nothing goes through": func(f *brokertest.Faults) { f.StallReads(); f.StallWrites() },
	} {
		t.Run(name, func(t *testing.T) {
			faults := new(brokertest.Faults)
			b := dial(t, url, Options{Dial: faults.Dial})
			if _, err := b.Consume(t.Context(), transport.Subscription{Queue: queue, Prefetch: 30}); err != nil {
				t.Fatal(err)
			}
			spoil(faults)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			for n := range 10 {
				b.Publish(ctx, message(queue, fmt.Sprint(n)))
			}
			short, end := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer end()
			within(t, 3*time.Second, "Close", func() { b.Close(short) })
			faults.Resume()
			noneLeft(t)
		})
	}
}

func TestSilentBrokerIsLeftAfterItsHeartbeats(t *testing.T) {
	url := brokertest.URL(t)
	queue, faults := classic(t, url, "silent"), new(brokertest.Faults)
	b := dial(t, url, Options{Dial: faults.Dial, Heartbeat: time.Second, Backoff: soon})
	if err := outcome(b, message(queue, "before")); err != nil {
		t.Fatal(err)
	}
	faults.StallReads()
	p, err := b.Publish(t.Context(), message(queue, "during"))
	if err != nil {
		t.Fatal(err)
	}
	unknown := (*transport.UnknownError)(nil)
	if err := p.Wait(t.Context()); !errors.As(err, &unknown) {
		t.Errorf("a publish without an answer: %v", err)
	}
	faults.Resume()
	if err := outcome(b, message(queue, "after")); err != nil {
		t.Errorf("publish after the silence: %v", err)
	}
}

func TestPublishWaitsForANetworkThatTakesNothingNoLongerThanItsContext(t *testing.T) {
	url := brokertest.URL(t)
	queue, faults := classic(t, url, "stalled"), new(brokertest.Faults)
	b := dial(t, url, Options{Dial: faults.Dial, Backoff: soon})
	if err := outcome(b, message(queue, "before")); err != nil {
		t.Fatal(err)
	}
	faults.StallWrites()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	within(t, 2*time.Second, "publishing", func() {
		for n := range 100 {
			m := message(queue, fmt.Sprint(n))
			m.Body = make([]byte, 64<<10)
			if _, err := b.Publish(ctx, m); err != nil {
				refused := (*transport.RefusedError)(nil)
				if !errors.As(err, &refused) || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("publish %d: %v", n, err)
				}
				return
			}
		}
		t.Error("6 MiB were taken, and the network took nothing")
	})
	faults.Resume()
	if err := outcome(b, message(queue, "after")); err != nil {
		t.Errorf("publish after the stall: %v", err)
	}
}

func TestConsumingGoesOnWhenTheQueueComesBack(t *testing.T) {
	url := brokertest.URL(t)
	queue := classic(t, url, "deleted")
	b := dial(t, url, Options{Backoff: soon})
	c, err := b.Consume(t.Context(), transport.Subscription{Queue: queue, Prefetch: 5})
	if err != nil {
		t.Fatal(err)
	}
	deleteQueue(t, url, queue)
	for end := time.Now().Add(10 * time.Second); b.State().Reason == ""; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the state does not say that nothing is consumed")
		}
	}
	if reason := b.State().Reason; !strings.Contains(reason, queue) {
		t.Errorf("the state says %q, which does not name the queue", reason)
	}
	admin(t, url, func(ch *amqp.Channel) error {
		_, err := ch.QueueDeclare(queue, true, false, false, false, nil)
		return err
	})
	if err := outcome(b, message(queue, "m")); err != nil {
		t.Fatal(err)
	}
	nextLive(t, c).Ack()
	if state := b.State(); !state.Up || state.Reason != "" {
		t.Errorf("the state after it came back is %+v", state)
	}
}
