package rabbit

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// fakePublish is a publish that the test answers.
type fakePublish struct {
	done    chan struct{}
	settled int
}

func newFakePublish() *fakePublish { return &fakePublish{done: make(chan struct{})} }

func (p *fakePublish) Done() <-chan struct{} { return p.done }
func (p *fakePublish) settle()               { p.settled++ }

// full returns a full window and what is in it.
func full(t *testing.T, size int) (*window, []*fakePublish) {
	t.Helper()
	w := newWindow(size)
	var all []*fakePublish
	for range size {
		if !w.reserve() {
			t.Fatal("no place in a window that is not full")
		}
		p := newFakePublish()
		w.fill(p)
		all = append(all, p)
	}
	if w.reserve() {
		t.Fatal("a place in a full window")
	}
	return w, all
}

func TestWindowFreesWhatIsAnsweredThoughNobodyWaits(t *testing.T) {
	w, all := full(t, 4)
	close(all[0].done)
	close(all[1].done)
	for range 2 {
		if !w.reserve() {
			t.Fatal("an answered publish keeps its place")
		}
	}
	if w.reserve() {
		t.Fatal("a place that nobody gave back")
	}
	if all[0].settled != 1 || all[1].settled != 1 || all[2].settled != 0 {
		t.Errorf("settled %d, %d and %d times, want 1, 1 and 0", all[0].settled, all[1].settled, all[2].settled)
	}
	w.cancel()
	if !w.reserve() {
		t.Error("a cancelled publish keeps its place")
	}
}

func TestWindowIsNotHeldUpByOneThatIsNeverAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, all := full(t, 4)
		for _, p := range all[1:] {
			close(p.done)
		}
		if err := w.await(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if !w.reserve() {
				t.Fatal("an answered publish keeps its place behind one that is not answered")
			}
		}
		if w.reserve() {
			t.Error("the unanswered publish lost its place")
		}
	})
}

func TestWindowWaitEnds(t *testing.T) {
	gone := make(chan struct{})
	close(gone)
	ended, end := context.WithCancelCause(context.Background())
	cause := errors.New("the caller had enough")
	end(cause)
	for _, test := range []struct {
		name string
		ctx  context.Context
		gone chan struct{}
		want error
	}{
		{"with the context", ended, nil, cause},
		{"with the channel", context.Background(), gone, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			w, _ := full(t, 2)
			start := time.Now()
			if err := w.await(test.ctx, test.gone); !errors.Is(err, test.want) {
				t.Errorf("%s: %v, want %v", test.name, err, test.want)
			}
			if waited := time.Since(start); waited > 0 {
				t.Errorf("%s: waited %v", test.name, waited)
			}
		})
	}
}

func TestWindowDrainsInAnyOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, all := full(t, 3)
		for i, p := range []*fakePublish{all[2], all[0], all[1]} {
			time.AfterFunc(time.Duration(i)*time.Second, func() { close(p.done) })
		}
		start := time.Now()
		w.drain(t.Context())
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("drained after %v, want 2s", took)
		}
		for i, p := range all {
			if p.settled != 1 {
				t.Errorf("entry %d was settled %d times", i, p.settled)
			}
		}
	})
}
