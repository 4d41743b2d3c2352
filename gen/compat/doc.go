// Package compat tells what a change of a message does to those who read it.
//
// Two questions decide. Can a reader built for the old schema read what a publisher of the new one writes? Can a reader
// built for the new schema read what was written before: in queues, in dead-letter queues, by publishers that are not
// yet updated? A change is safe, safe for one of them, or breaking. What is safe for one only has an order: the side
// that can read both goes first.
//
// A reader takes what it was told to expect, and passes over members that it does not know. A member that was always
// there may not just go: make it optional first, and take it out when no reader needs it any more. Each change is one
// of the rules of [Rules].
package compat
