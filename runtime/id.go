package acemq

import (
	"crypto/rand"
	"encoding/hex"
)

// NewID returns an id for a message: a random UUID of version 4 in its canonical form (contract: envelope, defaults at
// publish). A publisher makes one by itself; with [WithID], a message can be published again under the id it had.
func NewID() string {
	var id [16]byte
	rand.Read(id[:]) // never fails
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	var text [36]byte
	hex.Encode(text[:8], id[:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:], id[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
