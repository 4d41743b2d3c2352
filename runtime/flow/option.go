package flow

// ExchangeOption is an option of [Topic], [Direct], [Fanout] and [Headers].
type ExchangeOption interface{ exchangeOption() }

// PublishOption is an option of [Publish].
type PublishOption interface{ publishOption() }

// ConsumeOption is an option of [Consume].
type ConsumeOption interface{ consumeOption() }

// DispatchOption is an option of [Dispatch].
type DispatchOption interface{ dispatchOption() }

// StepOption is an option of [Step] and [Sink].
type StepOption interface{ stepOption() }

// StopOption is an option of [Stop].
type StopOption interface{ stopOption() }

// OrderedOption is an option of [Ordered].
type OrderedOption interface{ orderedOption() }

// RequestOption is an option of [Request].
type RequestOption interface{ requestOption() }

// ActionOption is an option of [Action].
type ActionOption interface{ actionOption() }

// PipelineItem is a part of a [Pipeline]: a step, or an option of the whole.
type PipelineItem interface{ pipelineItem() }

// SlipItem is a part of a [Slip]: a stop, or an option of the whole.
type SlipItem interface{ slipItem() }

// SagaAction is a part of a [Saga].
type SagaAction interface{ sagaAction() }

// CaseOption is a message type that a [Dispatch] takes.
type CaseOption interface{ DispatchOption }

// QueueOption says something about a queue of [Consume] or [Dispatch].
type QueueOption interface {
	ConsumeOption
	DispatchOption
}

// ExternalOption marks an exchange or a queue as somebody else's.
type ExternalOption interface {
	ExchangeOption
	QueueOption
}

// SingleActiveOption says that one consumer at a time reads a queue.
type SingleActiveOption interface {
	QueueOption
	OrderedOption
}

// HandlerOption says how messages are handled, wherever a queue is consumed and its messages may overtake each other.
type HandlerOption interface {
	QueueOption
	StepOption
	StopOption
	RequestOption
}

// IdempotentOption says that a message is handled once, wherever a message is handled for its effect.
type IdempotentOption interface {
	QueueOption
	StepOption
	StopOption
	OrderedOption
}

// FormOption says in which form a route travels.
type FormOption interface {
	PipelineItem
	SlipItem
}

// option is what the functions of this package return. Their result types say where each fits.
type option struct{}

func (option) exchangeOption() {}
func (option) publishOption()  {}
func (option) consumeOption()  {}
func (option) dispatchOption() {}
func (option) stepOption()     {}
func (option) stopOption()     {}
func (option) orderedOption()  {}
func (option) requestOption()  {}
func (option) actionOption()   {}
func (option) pipelineItem()   {}
func (option) slipItem()       {}
func (option) sagaAction()     {}
