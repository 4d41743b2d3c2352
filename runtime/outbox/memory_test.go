package outbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/outbox/conformance"
)

func TestMemory(t *testing.T) {
	conformance.Run(t, func(_ *testing.T, retention time.Duration) conformance.Fixture {
		store := outbox.NewMemory(retention)
		return conformance.Fixture{
			Store: store,
			Add:   func(_ context.Context, records ...outbox.Record) error { return store.Add(records...) },
		}
	})
}
