package plan

import "regexp"

// Found is what a broker answered about a topology, in the order of the topology.
type Found struct {
	Broker    string // "localhost:5672"
	VHost     string
	Exchanges []Answer
	Queues    []Answer
	Bindings  []Answer
}

// Answer is what a broker answered about one object.
type Answer struct {
	Standing Standing
	Reason   string // the broker's own words, where the object is Other or Refused
}

// Standing is how an object stands on the broker.
type Standing int

// The standings.
const (
	NotAsked Standing = iota // nothing shows it
	Same                     // it is there, as it is declared or external
	Missing                  // it is not there
	Absent                   // it is external, and not there
	Other                    // it is there with other settings (406)
	Refused                  // the broker refuses to say, or to let it be declared
)

// inequivalent is how a broker names the first setting in which an object differs: "PRECONDITION_FAILED - inequivalent
// arg 'x-message-ttl' for queue 'a' in vhost '/': received the value '5' of type 'long' but current is none".
var inequivalent = regexp.MustCompile(`inequivalent arg '([^']*)' for .*: received (.*) but current is (.*)$`)

// value is how a broker writes the value of a setting.
var value = regexp.MustCompile(`^(?:the value )?'(.*?)'(?: of type '[^']*')?$`)

// difference reads the setting that differs out of the broker's words, and returns nil where they do not name it.
func difference(reason string) *Difference {
	m := inequivalent.FindStringSubmatch(reason)
	if m == nil {
		return nil
	}
	return &Difference{Setting: m[1], Declared: plain(m[1], m[2]), Broker: plain(m[1], m[3])}
}

// plain returns a value without the broker's words around it. A queue that says no type is classic.
func plain(setting, words string) string {
	if setting == "x-queue-type" && words == "none" {
		return "classic"
	}
	return value.ReplaceAllString(words, "$1")
}
