package rabbit

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// pipe returns a wireConn and the other end of it.
func pipe(t *testing.T, timeout time.Duration) (*wireConn, net.Conn) {
	t.Helper()
	near, far := net.Pipe()
	c := newWireConn(near, timeout)
	t.Cleanup(func() { c.abort(net.ErrClosed); far.Close(); <-c.ended })
	return c, far
}

func TestWireConnWritesTogetherWhatWaits(t *testing.T) {
	c, far := pipe(t, time.Minute)
	var want []byte
	for i := range 1000 {
		want = append(want, byte(i))
		if n, err := c.Write([]byte{byte(i)}); n != 1 || err != nil {
			t.Fatalf("write: %d, %v", n, err)
		}
	}
	got := make([]byte, len(want))
	if _, err := io.ReadFull(far, got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("the bytes arrived in another order")
	}
	if writes := c.writes.Load(); writes > 3 {
		t.Errorf("1000 bytes that waited took %d writes", writes)
	}
}

func TestWireConnKeepsTheCallersBytes(t *testing.T) {
	c, far := pipe(t, time.Minute)
	p := []byte("first")
	c.Write(p)
	copy(p, "xxxxx")
	got := make([]byte, 5)
	if _, err := io.ReadFull(far, got); err != nil || string(got) != "first" {
		t.Errorf("arrived %q, %v", got, err)
	}
}

func TestWireConnIsFullUntilTheNetworkTakes(t *testing.T) {
	c, far := pipe(t, time.Minute)
	c.Write([]byte("in the hands of the writer"))
	for c.waiting.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	if c.full() != nil {
		t.Fatal("full before anything waits")
	}
	c.Write(make([]byte, bufferLimit))
	room := c.full()
	if room == nil {
		t.Fatal("not full")
	}
	select {
	case <-room:
		t.Fatal("there is room, and the network took nothing")
	case <-time.After(10 * time.Millisecond):
	}
	go io.Copy(io.Discard, far)
	<-room
}

func TestWireConnCarriesAFailureToTheNextWrite(t *testing.T) {
	c, far := pipe(t, time.Minute)
	c.Write([]byte("taken"))
	far.Close()
	<-c.ended
	if _, err := c.Write([]byte("next")); err == nil || errors.Is(err, net.ErrClosed) {
		t.Errorf("the next write: %v, want what the network said", err)
	}
}

func TestWireConnGivesUpOnANetworkThatTakesNothing(t *testing.T) {
	c, _ := pipe(t, 20*time.Millisecond)
	c.Write([]byte("stuck"))
	select {
	case <-c.ended:
	case <-time.After(5 * time.Second):
		t.Fatal("the writer waits for ever")
	}
}

func TestWireConnIsPatientWhileTheBrokerBlocks(t *testing.T) {
	c, far := pipe(t, 10*time.Millisecond)
	c.patient.Store(true)
	c.Write([]byte("late"))
	time.Sleep(50 * time.Millisecond)
	got := make([]byte, 4)
	if _, err := io.ReadFull(far, got); err != nil || string(got) != "late" {
		t.Errorf("arrived %q, %v", got, err)
	}
}

func TestWireConnFlushesOnClose(t *testing.T) {
	c, far := pipe(t, time.Minute)
	arrived := make(chan []byte)
	c.Write([]byte("last words"))
	go func() {
		time.Sleep(10 * time.Millisecond)
		all, _ := io.ReadAll(far)
		arrived <- all
	}()
	c.Close()
	if got := <-arrived; string(got) != "last words" {
		t.Errorf("arrived %q", got)
	}
	if _, err := c.Write([]byte("more")); err == nil {
		t.Error("a write after Close")
	}
}

func TestWireConnCloseIsBounded(t *testing.T) {
	c, _ := pipe(t, time.Minute)
	c.Write([]byte("stuck"))
	start := time.Now()
	c.Close()
	if took := time.Since(start); took > 5*flushTimeout {
		t.Errorf("closing took %v", took)
	}
}
