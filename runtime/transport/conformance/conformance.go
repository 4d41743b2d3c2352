// Package conformance holds the one suite that every implementation of transport.Broker passes: transport/memory in
// the process and transport/rabbit on a real broker. Each case is named after the behaviour it shows.
package conformance

import (
	"testing"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// Harness gives the suite what a test needs beyond the seam. The broker behind it may be shared with other tests: the
// suite uses names of its own and removes what it declared.
type Harness struct {
	// Open returns a connection of its own to the broker under test. The suite closes it.
	Open func(t *testing.T) transport.Broker

	// DeleteQueue removes a queue with its messages, as an operator would. A missing queue is no failure.
	DeleteQueue func(t *testing.T, queue string)

	// DeleteExchange removes an exchange with its bindings. A missing exchange is no failure.
	DeleteExchange func(t *testing.T, exchange string)

	// Cut ends every connection that b has to the broker, by force; b finds its way back by itself.
	Cut func(t *testing.T, b transport.Broker)

	// Block raises a resource alarm on the whole broker and returns what clears it, which may be called twice. Where
	// it is nil, the cases of blocked connections are left out.
	Block func(t *testing.T) (unblock func())

	// Version is the broker's version. What differs between versions is expected accordingly.
	Version Version

	// Around runs each case, for instance in a bubble of testing/synctest. Where it is nil, the cases run in parallel.
	Around func(t *testing.T, test func(t *testing.T))
}

// Version is the version of a broker.
type Version struct{ Major, Minor int }

// atLeast reports whether v is major.minor or later.
func (v Version) atLeast(major, minor int) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}

// testCase is one behaviour.
type testCase struct {
	name string
	run  func(r *rig)
}

// Run runs the suite. Cases that disturb the whole broker run one at a time, after all others.
func Run(t *testing.T, h Harness) {
	t.Run("each", func(t *testing.T) {
		for _, group := range [][]testCase{
			routingCases, declareCases, publishCases, refusalCases, expiryCases, deadLetterCases, lengthCases,
			consumeCases, temporaryCases, settleCases, quorumCases, lossCases, closeCases,
		} {
			for _, c := range group {
				t.Run(c.name, func(t *testing.T) {
					if h.Around == nil {
						t.Parallel()
					}
					h.run(t, c)
				})
			}
		}
	})
	if h.Block != nil {
		RunBlocked(t, h)
	}
}

// RunBlocked runs only the cases of blocked connections, one at a time: for a harness whose broker is not the one that
// the rest of the suite runs on.
func RunBlocked(t *testing.T, h Harness) {
	for _, c := range blockedCases {
		t.Run(c.name, func(t *testing.T) { h.run(t, c) })
	}
}
