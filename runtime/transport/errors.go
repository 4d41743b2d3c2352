package transport

import (
	"errors"
	"fmt"
)

// ErrSettled is returned by a second answer to one delivery.
var ErrSettled = errors.New("the delivery is settled already")

// ErrLost is returned by an answer to a delivery whose channel is gone. The message will be delivered again.
var ErrLost = errors.New("the delivery's channel is gone: the message will be delivered again")

// ErrClosed is the cause of a refusal after Close.
var ErrClosed = errors.New("the connection is closed")

// Address says which message an outcome is about.
type Address struct {
	Exchange  string
	Key       string
	MessageID string
}

// Address says which message an outcome of m is about.
func (m Message) Address() Address { return Address{m.Exchange, m.Key, m.MessageID} }

func (a Address) String() string {
	message, exchange := "a message", "the default exchange"
	if a.MessageID != "" {
		message = "message " + a.MessageID
	}
	if a.Exchange != "" {
		exchange = a.Exchange
	}
	if a.Exchange == "" && a.Key == "" { // it never got as far as an address
		return message
	}
	return fmt.Sprintf("%s to %s with key %q", message, exchange, a.Key)
}

// UnroutableError says that the broker took a message and had no queue for it. The message is gone.
type UnroutableError struct{ Address }

func (e *UnroutableError) Error() string {
	return fmt.Sprintf("%v is unroutable: no queue is bound for it", e.Address)
}

// NackedError says that the broker refused a message: a queue is full, or failed. The message is not stored.
type NackedError struct{ Address }

func (e *NackedError) Error() string { return fmt.Sprintf("%v was refused by the broker", e.Address) }

// RefusedError says that a message was not sent: nothing was written, and it is safe to publish it again.
type RefusedError struct {
	Address
	Cause error
}

func (e *RefusedError) Error() string { return fmt.Sprintf("%v was not sent: %v", e.Address, e.Cause) }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Cause }

// UnknownError says that a message was written and that its answer never came: the broker may have it or not. Publish
// it again under the same id where a duplicate is better than a loss.
type UnknownError struct {
	Address
	Cause error
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("%v may or may not have arrived: %v", e.Address, e.Cause)
}

// Unwrap returns the cause.
func (e *UnknownError) Unwrap() error { return e.Cause }

// ConflictError says that the broker has an object of the same name and of another kind or with other arguments (406).
type ConflictError struct {
	Object string // "queue billing.orders"
	Reason string // the broker's words: the argument, and both values
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s exists with other settings: %s", e.Object, e.Reason)
}

// NotFoundError says that an object does not exist (404).
type NotFoundError struct{ Object string }

func (e *NotFoundError) Error() string { return e.Object + " does not exist" }
