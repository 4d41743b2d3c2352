package wire

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// What one message may hold. A client library closes the whole connection over a value that it cannot encode, and a
// broker over a frame that it does not take, so everything is checked before anything is written.
const (
	MaxShort   = 255      // bytes of a short string: names, routing keys, header names, text properties
	MaxHeaders = 32 << 10 // bytes of all headers as they are encoded: they travel in one frame, which is never split
	MaxBody    = 16 << 20 // bytes of a body: what RabbitMQ takes from 4.0 on, unless it is told otherwise

	// MaxCopyHeaders is MaxHeaders for the copy of a message that came from a broker: a frame of RabbitMQ's default
	// size, less what is in it beside the headers. What somebody else could publish can be set aside.
	MaxCopyHeaders = 124 << 10
)

// maxDepth limits tables and lists within each other, so that one which holds itself has an end.
const maxDepth = 16

// MaxTTL is the longest time that RabbitMQ takes as a time to live: 2³²-1 milliseconds, about 49 days.
const MaxTTL = math.MaxUint32 * time.Millisecond

// Decimal is a decimal number of AMQP: Value divided by 10 to the power of Scale. Services in Go have no use for it;
// it is here so that a message which carries one can be passed on.
type Decimal struct {
	Scale uint8
	Value int32
}

// CheckShort checks a short string of AMQP: at most 255 bytes of UTF-8. The error begins with what, the words for the
// value: "the routing key".
func CheckShort(what, value string) error {
	if err := CheckLength(what, value); err != nil {
		return err
	}
	if !utf8.ValidString(value) {
		return fmt.Errorf("%s is not valid UTF-8: %q", what, value)
	}
	return nil
}

// CheckLength is the part of [CheckShort] that holds for what a broker has taken before: at most 255 bytes.
func CheckLength(what, value string) error {
	if len(value) > MaxShort {
		return fmt.Errorf("%s has %d bytes, and AMQP takes %d at most: shorten %q",
			what, len(value), MaxShort, short(value))
	}
	return nil
}

// short returns the start and the end of a text of more than MaxShort bytes, to show which one it is.
func short(text string) string {
	return strings.ToValidUTF8(text[:32], "") + "…" + strings.ToValidUTF8(text[len(text)-16:], "")
}

// CheckBody checks the size of a body.
func CheckBody(body []byte) error {
	if len(body) > MaxBody {
		return fmt.Errorf("the body has %d bytes, and a message takes %d at most: store it elsewhere and send "+
			"where it is", len(body), MaxBody)
	}
	return nil
}
