package wire

import "time"

// Envelope is what the contract says about a message beside its body. An empty field is absent: its header is not
// written. The zero Envelope is ready to be completed and published.
type Envelope struct {
	ID          string    // stable over retries and redeliveries; the default idempotency key
	Type        string    // the logical type, "order.placed"
	Version     int       // the payload's schema version, from 1
	Correlation string    // the flow that the message belongs to
	Causation   string    // the id of the message that caused this one
	Origin      string    // the process that published it, "service@host"
	Attempt     int       // the delivery attempt, from 1
	FirstSeen   time.Time // the first publish, in UTC, to the millisecond
	Error       string    // why the message was set aside; only on copies in a .dlq or .parked queue
	Claim       string    // where the application stored the payload
	Route       Route     // the declared route that the message travels, if any
}

// Arrival is what is known of a message beside its headers: the values that a missing header is replaced by.
type Arrival struct {
	MessageID  string        // the message-id property, empty if the message has none
	RoutingKey string        // names the type of a message that does not say its own
	Now        time.Time     // stands in for a first-seen that is missing
	NewID      func() string // makes an id for a message that has none
}

// ReadEnvelope reads the reserved headers of a message and completes what is missing (contract: reading an envelope).
// It never fails: a message with no AceMQ header at all is a first attempt of a type named after its routing key.
func ReadEnvelope(headers Table, a Arrival) Envelope {
	return readEnvelope(headers).arrived(a)
}

// ReadHeaders reads the reserved headers as [ReadEnvelope] does, and returns those of the application beside, as
// [Application] does.
func ReadHeaders(headers Table, a Arrival) (Envelope, Table) {
	var e Envelope
	own := Table{}
	for name, value := range headers { // in one pass: this runs once a message
		switch {
		case IsReserved(name):
			e.read(name, value)
		case !IsBroker(name):
			own[name] = value
		}
	}
	e.Route = e.Route.orNone()
	return e.arrived(a), own
}

// readEnvelope reads the reserved headers of a message, and leaves empty what is missing.
func readEnvelope(headers Table) Envelope {
	var e Envelope
	for name, value := range headers {
		e.read(name, value)
	}
	e.Route = e.Route.orNone()
	return e
}

// read reads one header, if it is one of the envelope.
func (e *Envelope) read(name string, value any) {
	switch name {
	case HeaderID:
		e.ID = identifier(text(value))
	case HeaderType:
		e.Type = text(value)
	case HeaderVersion:
		e.Version = counter(value, 1)
	case HeaderCorrelation:
		e.Correlation = text(value)
	case HeaderCausation:
		e.Causation = text(value)
	case HeaderOrigin:
		e.Origin = text(value)
	case HeaderAttempt:
		e.Attempt = counter(value, 1)
	case HeaderFirstSeen:
		e.FirstSeen = instant(value)
	case HeaderError:
		e.Error = text(value)
	case HeaderClaim:
		e.Claim = text(value)
	default:
		e.Route.read(name, value)
	}
}

// arrived completes an envelope that was read.
func (e Envelope) arrived(a Arrival) Envelope {
	a.MessageID = identifier(a.MessageID)
	return e.Complete(a)
}

// identifier reads an id. One that the message-id property cannot hold reads as absent: no copy of the message could be
// published under it.
func identifier(id string) string {
	if CheckShort("the id", id) != nil {
		return ""
	}
	return id
}

// Complete fills the fields that every message has and that e leaves empty (contract: defaults at publish). A message
// without a type takes its routing key's, or "message" where that is empty too.
func (e Envelope) Complete(a Arrival) Envelope {
	if e.ID == "" {
		e.ID = a.MessageID
	}
	if e.ID == "" {
		e.ID = a.NewID()
	}
	if e.Type == "" {
		e.Type = a.RoutingKey
	}
	if e.Type == "" {
		e.Type = "message"
	}
	e.Version = max(e.Version, 1)
	e.Attempt = max(e.Attempt, 1)
	if e.Correlation == "" {
		e.Correlation = e.ID
	}
	if e.FirstSeen.IsZero() {
		e.FirstSeen = a.Now.UTC().Truncate(time.Millisecond)
	}
	return e
}

// Caused returns the start of an envelope for a message that e caused: the same flow, e as the cause, a first attempt.
func (e Envelope) Caused() Envelope {
	return Envelope{Correlation: e.Correlation, Causation: e.ID, Origin: e.Origin}
}

// Headers returns the headers that go on the wire: those of the envelope, and the application's own among own. A
// reserved or broker header in own is left behind. The result is a table of its own.
func (e Envelope) Headers(own Table) Table {
	e.Route = e.Route.orNone()
	texts := e.texts()
	size := len(own) + 3 // version, attempt and first-seen
	for _, text := range texts {
		if text.value != "" {
			size++
		}
	}
	if e.Route.Steps != "" {
		size++
	}
	h := make(Table, size) // as large as it becomes: this runs once a message
	for name, value := range own {
		if !IsReserved(name) && !IsBroker(name) {
			h[name] = value
		}
	}
	for _, text := range texts {
		if text.value != "" {
			h[text.name] = text.value
		}
	}
	h[HeaderVersion] = int32(e.Version)
	h[HeaderAttempt] = int32(e.Attempt)
	h[HeaderFirstSeen] = e.FirstSeen.UnixMilli()
	if e.Route.Steps != "" {
		h[HeaderRoutePosition] = int32(e.Route.Position)
	}
	return h
}

type textHeader struct{ name, value string }

// texts returns the headers that hold text. An empty one is absent.
func (e *Envelope) texts() [9]textHeader {
	return [9]textHeader{
		{HeaderID, e.ID},
		{HeaderType, e.Type},
		{HeaderCorrelation, e.Correlation},
		{HeaderCausation, e.Causation},
		{HeaderOrigin, e.Origin},
		{HeaderError, e.Error},
		{HeaderClaim, e.Claim},
		{HeaderRoute, e.Route.Steps},
		{HeaderRouteID, e.Route.ID},
	}
}

// Age returns how long ago the message was first published, as seen at now. A negative age means that the clocks
// disagree; it counts as young.
func (e Envelope) Age(now time.Time) time.Duration { return now.Sub(e.FirstSeen) }
