// Package idempotency lets consumers handle a message once, however often it is delivered (contract: consuming,
// idempotency). A consumer claims a message before its handler runs, confirms the claim when the handler accepted, and
// releases it on every other answer. A consumer that dies in between leaves a claim that ends by itself.
//
// It makes duplicates rare and never loses a message: a handler whose effect happened and whose claim was not confirmed,
// because the process died or the lease ended, runs once more. Only an effect that is written in one transaction with the
// confirmation happens exactly once.
//
// [Memory] is a store for one process. Services that run several times share a store in their database, which is in
// package sqlstore.
package idempotency

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// DefaultLease is how long a claim holds that is neither confirmed nor released.
const DefaultLease = 5 * time.Minute

// Claim is what a store answers to a consumer that is about to handle a message. The zero Claim is no answer.
type Claim int

const (
	// Claimed says that the message is the caller's to handle: nobody has handled it, and nobody else is at it.
	Claimed Claim = iota + 1

	// Duplicate says that the message was handled.
	Duplicate

	// InProgress says that somebody else claimed the message, who may yet fail.
	InProgress
)

// String returns the answer in words.
func (c Claim) String() string {
	switch c {
	case Claimed:
		return "claimed"
	case Duplicate:
		return "duplicate"
	case InProgress:
		return "in progress"
	}
	return fmt.Sprintf("claim %d", int(c))
}

// Store remembers which messages were handled and which are being handled. Its keys are text of at most [MaxKey] bytes,
// which differ when a byte differs. All methods may be called concurrently, by several processes where the store is
// shared, and return when ctx ends.
type Store interface {
	// Claim claims a key for the time of lease, and says whether the caller has it. A key that is unknown, or whose
	// claim was released or is past its lease, is Claimed; of several callers at once, by one. A key that is confirmed
	// is a Duplicate, and any other one InProgress. Where a store cannot tell, it returns an error, never Duplicate: the
	// message would be lost.
	Claim(ctx context.Context, key string, lease time.Duration) (Claim, error)

	// Confirm records that the message of a key was handled, whatever became of its claim. It may be repeated.
	Confirm(ctx context.Context, key string) error

	// Release gives up a claim, so that the key can be claimed at once. A key that is confirmed stays so, and one that
	// is unknown is no error.
	Release(ctx context.Context, key string) error
}

// MaxKey is the most bytes that a key has.
const MaxKey = 255

// Key returns the key of a message for the consumers of a queue: "{queue}:{id}", so that the steps of a pipeline, which
// see a message under one id, do not take each other for duplicates. Where that is longer than a key may be, its end is
// the SHA-256 of the whole.
func Key(queue, id string) string {
	key := queue + ":" + id
	if len(key) <= MaxKey {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	end := "#" + hex.EncodeToString(sum[:])
	return strings.ToValidUTF8(key[:MaxKey-len(end)], "") + end
}
