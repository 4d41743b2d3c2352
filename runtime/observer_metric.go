package acemq

// Metric is one measurement that an event adds to a metric of the contract. An adapter to a metrics library hands each
// to the instrument of its name and kind.
type Metric struct {
	Name  string // one of the Metric constants; Prometheus has underscores for the dots, in the tags as well
	Kind  MetricKind
	Value float64 // in seconds where the metric is a duration
	Tags  []Tag
}

// Tag is a label of a metric.
type Tag struct{ Key, Value string }

// MetricKind says how the values of a metric add up.
type MetricKind int

// The kinds.
const (
	Counter      MetricKind = iota // a sum
	Gauge                          // a sum that goes down as well: the value is the change
	Distribution                   // each value counts
)

// The names of metrics (contract: metrics).
const (
	MetricPublishTotal    = "acemq.publish.total"
	MetricPublishDuration = "acemq.publish.duration" // until the outcome

	MetricConsumeTotal    = "acemq.consume.total"     // at settlement, one a delivery
	MetricConsumeDuration = "acemq.consume.duration"  // in the handler
	MetricConsumeAttempts = "acemq.consume.attempts"  // the numbers of the attempts, at arrival
	MetricConsumeInFlight = "acemq.consume.in.flight" // taken up and not settled

	MetricRetriedTotal      = "acemq.messages.retried.total"
	MetricDeadLetteredTotal = "acemq.messages.dead.lettered.total" // in {queue}.dlq or {queue}.parked, whoever decided
	MetricSetAsideFailed    = "acemq.messages.set.aside.failed"
	MetricRungMissing       = "acemq.retry.rung.missing"

	MetricRunTotal    = "acemq.pipeline.run.total"
	MetricRunDuration = "acemq.pipeline.run.duration" // the age of the message at its end

	MetricRequestTotal    = "acemq.request.total"
	MetricRequestDuration = "acemq.request.duration" // from the call to its end

	MetricOutboxTotal = "acemq.outbox.total"
	MetricOutboxLag   = "acemq.outbox.lag" // from adding a record to its publish
)

// The keys of tags (contract: metrics).
const (
	TagExchange    = "exchange"
	TagRoutingKey  = "routing.key"
	TagQueue       = "queue"
	TagMessageType = "message.type"
	TagTarget      = "target"
	TagRung        = "rung"
	TagOutcome     = "outcome"
	TagPipeline    = "pipeline"
	TagStep        = "step"
)

// Metrics returns what the event adds to the metrics of the contract. Some events add nothing.
func (e Event) Metrics() []Metric {
	switch e.Name {
	case EventPublish:
		tags := append(e.addressTags(), Tag{TagMessageType, e.Type}, Tag{TagOutcome, e.Outcome})
		return []Metric{count(MetricPublishTotal, tags), e.duration(MetricPublishDuration, tags)}
	case EventReceive:
		tags := e.queueTags()
		return []Metric{
			{MetricConsumeAttempts, Distribution, float64(e.Attempt), tags},
			{MetricConsumeInFlight, Gauge, 1, e.queueTag()},
		}
	case EventConsume:
		return e.consumeMetrics()
	case EventSetAsideFailed:
		return []Metric{count(MetricSetAsideFailed, append(e.queueTag(), Tag{TagTarget, e.Target}))}
	case EventRungMissing:
		return []Metric{count(MetricRungMissing, append(e.queueTag(), Tag{TagRung, e.Target}))}
	case EventRun:
		tags := []Tag{{TagPipeline, e.Pipeline}, {TagStep, e.Step}, {TagOutcome, e.Outcome}}
		return []Metric{count(MetricRunTotal, tags), e.duration(MetricRunDuration, tags)}
	case EventRequest:
		tags := []Tag{{TagRoutingKey, e.RoutingKey}, {TagMessageType, e.Type}, {TagOutcome, e.Outcome}}
		return []Metric{count(MetricRequestTotal, tags), e.duration(MetricRequestDuration, tags)}
	case EventOutbox:
		return e.outboxMetrics()
	}
	return nil
}

func (e Event) outboxMetrics() []Metric {
	metrics := []Metric{count(MetricOutboxTotal, append(e.addressTags(), Tag{TagOutcome, e.Outcome}))}
	if e.Outcome == OutcomePublished {
		metrics = append(metrics, e.duration(MetricOutboxLag, e.addressTags()))
	}
	return metrics
}

func (e Event) consumeMetrics() []Metric {
	metrics := []Metric{{MetricConsumeInFlight, Gauge, -1, e.queueTag()}}
	if e.Outcome == OutcomeLost {
		return metrics
	}
	tags := append(e.queueTags(), Tag{TagOutcome, e.Outcome})
	metrics = append(metrics, count(MetricConsumeTotal, tags), e.duration(MetricConsumeDuration, tags))
	switch {
	case e.Outcome == OutcomeRetried:
		metrics = append(metrics, count(MetricRetriedTotal, e.queueTags()))
	case e.Outcome == OutcomeParked:
		metrics = append(metrics, count(MetricDeadLetteredTotal, tags))
	case e.Outcome == OutcomeDeadLettered || e.Outcome == OutcomeRejected && e.Target != "":
		tags := append(e.queueTags(), Tag{TagOutcome, OutcomeDeadLettered})
		metrics = append(metrics, count(MetricDeadLetteredTotal, tags))
	}
	return metrics
}

func (e Event) addressTags() []Tag {
	return []Tag{{TagExchange, e.Exchange}, {TagRoutingKey, e.RoutingKey}}
}

func (e Event) queueTag() []Tag { return []Tag{{TagQueue, e.Queue}} }

func (e Event) queueTags() []Tag { return append(e.queueTag(), Tag{TagMessageType, e.Type}) }

func count(name string, tags []Tag) Metric { return Metric{name, Counter, 1, tags} }

func (e Event) duration(name string, tags []Tag) Metric {
	return Metric{name, Distribution, e.Duration.Seconds(), tags}
}
