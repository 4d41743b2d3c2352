package replay

import (
	"crypto/sha256"
	"fmt"
	"maps"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// landed remembers the messages whose copies are where they belong. Their acks may be lost with a connection, and then
// they are delivered again.
type landed map[fingerprint]int

// fingerprint tells messages apart.
type fingerprint [sha256.Size]byte

// add remembers a message. One without an id cannot be told from another that is alike, and is not remembered.
func (l landed) add(d *transport.Delivery) {
	if print, ok := fingerprintOf(d); ok {
		l[print]++
	}
}

// take reports whether a message has landed, and forgets it: its ack is written anew.
func (l landed) take(d *transport.Delivery) bool {
	if !d.Redelivered {
		return false
	}
	print, ok := fingerprintOf(d)
	if !ok || l[print] == 0 {
		return false
	}
	l[print]--
	return true
}

func fingerprintOf(d *transport.Delivery) (print fingerprint, ok bool) {
	headers := maps.Clone(d.Headers)
	maps.DeleteFunc(headers, func(name string, _ any) bool { return wire.IsBroker(name) })
	if d.MessageID == "" && headers[wire.HeaderID] == nil {
		return print, false
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %v ", d.MessageID, d.ContentType, headers) // fmt sorts a map
	hash.Write(d.Body)
	return fingerprint(hash.Sum(nil)), true
}
