package pipeline

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/brokertest"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// The tests of this file run pipelines on a real RabbitMQ, in real time.

// patience bounds the wait for what must happen.
const patience = 2 * time.Minute

// TestMain runs the tests, or, in a process that a test started, steps of a pipeline.
func TestMain(m *testing.M) {
	if name := os.Getenv(childPipeline); name != "" {
		if err := runChild(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// childPipeline names the pipeline whose first steps a process runs, and childForm the form it writes.
const childPipeline, childForm = "ACEMQ_TEST_PIPELINE", "ACEMQ_TEST_FORM"

// runChild runs the steps before the last one until the process is killed, or its parent is gone.
func runChild(name string) error {
	ctx := context.Background()
	conn, err := acemq.Dial(ctx, os.Getenv(brokertest.URLVariable), acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	form := wire.FormDeclared
	if os.Getenv(childForm) == wire.FormItinerary.String() {
		form = wire.FormItinerary
	}
	if _, err := Run[order](ctx, conn, named(name, form), newSteps().handlers("validate", "price")); err != nil {
		return err
	}
	fmt.Println("running")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// child starts a process that runs the first steps of a pipeline, and returns once it does.
func child(t *testing.T, d *Declaration) *exec.Cmd {
	t.Helper()
	return brokertest.Process(t, childPipeline+"="+d.Name, childForm+"="+d.WriteAs.String())
}

// named returns the pipeline of the tests under a name of its own, with waits that a test can wait for.
func named(name string, form wire.Form) *Declaration {
	d := fulfilment(form)
	d.Name = name
	d.Steps[1].Queue.Retry = acemq.Fixed(3, 20*time.Millisecond)
	return d
}

// onBroker runs a test once for each form, on a pipeline that is taken off the run's broker afterwards.
func onBroker(t *testing.T, test func(t *testing.T, url string, d *Declaration)) {
	url := brokertest.URL(t)
	for _, form := range []wire.Form{wire.FormDeclared, wire.FormItinerary} {
		t.Run(form.String(), func(t *testing.T) {
			d := named("acemq-pipeline-"+rand.Text()[:10], form)
			brokertest.RemoveAfter(t, url, d.Topology())
			test(t, url, d)
		})
	}
}

func dialBroker(t *testing.T, url string) *acemq.Conn {
	t.Helper()
	conn, err := acemq.Dial(t.Context(), url, acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return conn
}

func runOn(t *testing.T, conn *acemq.Conn, d *Declaration, s *steps, names ...string) *Pipeline[order] {
	t.Helper()
	p, err := Run[order](t.Context(), conn, d, s.handlers(names...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sendSurely sends until the broker has confirmed, under one id.
func sendSurely(t *testing.T, p *Pipeline[order], id string) {
	t.Helper()
	for {
		err := p.Send(t.Context(), order{id}, acemq.WithID(id))
		var refused *acemq.RefusedError
		var unknown *acemq.UnknownError
		if err == nil {
			return
		}
		if !errors.As(err, &refused) && !errors.As(err, &unknown) || t.Context().Err() != nil {
			t.Error(err)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// await waits until something is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v in vain for %s", patience, what)
		}
	}
}

// shipped returns the different orders that the last step has seen.
func (s *steps) shipped() map[string]bool {
	ids := make(map[string]bool)
	for _, seen := range s.at("ship") {
		ids[seen.payload.(pricedOrder).ID] = true
	}
	return ids
}

// Orders that pass, are filtered, are retried and are given up, resumed, and finish with each earlier step run once.
func TestBroker(t *testing.T) {
	onBroker(t, func(t *testing.T, url string, d *Declaration) {
		const orders = 100
		conn, s := dialBroker(t, url), newSteps()
		healed := false
		s.answer["validate"] = func(id string, _ int) error {
			if strings.HasSuffix(id, "3") {
				return End
			}
			return nil
		}
		s.answer["price"] = func(id string, attempt int) error {
			s.mu.Lock()
			defer s.mu.Unlock()
			if strings.HasSuffix(id, "7") && !healed || strings.HasSuffix(id, "8") && attempt < 3 {
				return errBusy
			}
			return nil
		}
		p := runOn(t, conn, d, s)
		for i := range orders {
			sendSurely(t, p, fmt.Sprint(i))
		}
		price := p.Consumers()[1]
		await(t, "the orders", func() bool {
			return p.Completed() == orders*8/10 && price.Counts().DeadLettered == orders/10
		})
		s.mu.Lock()
		healed = true
		s.mu.Unlock()
		for range orders / 10 {
			stuck, err := acemq.Pull[validOrder](t.Context(), conn, p.QueueFor("price")+".dlq")
			if err != nil || stuck == nil {
				t.Fatalf("pulled %v, %v", stuck, err)
			}
			if err := Resume(t.Context(), p, "price", stuck.Payload, stuck.WireHeaders()); err != nil {
				t.Fatal(err)
			}
			if err := stuck.Accept(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		await(t, "the resumed orders", func() bool { return p.Completed() == orders*9/10 })
		await(t, "the last to be let go", func() bool { return p.InFlight() == 0 })
		wantEqual(t, "the counts", countsOf(p), counts{entered: orders, completed: orders * 9 / 10, endedEarly: orders / 10})
		wantEqual(t, "how often the first step ran", s.calls()["validate"], orders)
		wantEqual(t, "how often the last step ran", s.calls()["ship"], orders*9/10)
		wantEqual(t, "the number of different orders", len(s.shipped()), orders*9/10)
		if n, err := p.Waiting(t.Context()); n != 0 || err != nil {
			t.Errorf("%d messages wait, %v", n, err)
		}
	})
}

// Two processes share the first steps, and are killed again and again, between a hop and its ack among other places.
// Every order arrives.
func TestBrokerKilledProcesses(t *testing.T) {
	onBroker(t, func(t *testing.T, url string, d *Declaration) {
		const orders, kills = 600, 6
		conn, s := dialBroker(t, url), newSteps()
		p := runOn(t, conn, d, s, "ship")
		running := []*exec.Cmd{child(t, d), child(t, d)}
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			for i := range orders {
				sendSurely(t, p, fmt.Sprint(i))
			}
		}()
		for i := range kills {
			at := i % len(running)
			if err := running[at].Process.Kill(); err != nil {
				t.Fatal(err)
			}
			running[at].Wait()
			running[at] = child(t, d)
		}
		await(t, "the orders", func() bool { return len(s.shipped()) == orders })
		<-sent
		wantEqual(t, "what entered", p.Entered(), orders)
		if c := countsOf(p); c.completed < orders || c.inFlight < 0 {
			t.Errorf("counted %+v", c)
		}
	})
}

// The broker is killed in the middle of a run and comes back with what it had. Every order arrives.
func TestBrokerKilledMidRun(t *testing.T) {
	const orders = 300
	node := brokertest.Node(t)
	conn, s := dialBroker(t, node.URL()), newSteps()
	d := named("orders", wire.FormDeclared)
	if err := conn.Declare(t.Context(), d.Topology()); err != nil {
		t.Fatal(err)
	}
	// RabbitMQ 3.10 may never find the leader again of a quorum queue that was declared seconds before a crash.
	if err := node.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := node.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := runOn(t, conn, d, s)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for i := range orders {
			sendSurely(t, p, fmt.Sprint(i))
		}
	}()
	await(t, "the middle of the run", func() bool { return p.Completed() > orders/4 })
	if err := node.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := node.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	await(t, "the orders", func() bool { return len(s.shipped()) == orders })
	<-sent
	for _, step := range d.Steps {
		queue := d.QueueFor(step.Name)
		if m, err := acemq.Pull[order](t.Context(), conn, queue+".dlq"); m != nil || err != nil {
			t.Errorf("%s.dlq has %v, %v", queue, m, err)
		}
	}
}
