package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Itinerary is a routing slip that carries the addresses of its stops. It is a value: its methods return changed
// copies and leave the lists of the original as they are. The zero Itinerary has no stop; [Itinerary.Then] adds them.
type Itinerary struct {
	Steps []Stop // what is left, the stop that the message is at first
	Done  []Stop // what is behind, the oldest first
}

// Stop is one stop of a route.
type Stop struct {
	Exchange    string // "" is the default exchange, whose keys are queue names
	Key         string
	Name        string    // empty for none
	CompletedAt time.Time // when it was left, to the second; zero while it was not
}

// String says where the stop is, for errors and logs.
func (s Stop) String() string {
	at := fmt.Sprintf("exchange %q with key %q", s.Exchange, s.Key)
	if s.Exchange == "" {
		at = fmt.Sprintf("the default exchange with key %q", s.Key)
	}
	if s.Name == "" {
		return at
	}
	return fmt.Sprintf("%q, %s", s.Name, at)
}

// Then returns the itinerary with a stop added to its end.
func (i Itinerary) Then(exchange, key, name string) Itinerary {
	i.Steps = append(slices.Clip(i.Steps), Stop{Exchange: exchange, Key: key, Name: name})
	return i
}

// Current returns the stop that the message is at, and reports whether there is one left.
func (i Itinerary) Current() (Stop, bool) {
	if len(i.Steps) == 0 {
		return Stop{}, false
	}
	return i.Steps[0], true
}

// IsFinished reports whether no stop is left.
func (i Itinerary) IsFinished() bool { return len(i.Steps) == 0 }

// Advance returns the itinerary with its current stop moved to those done, at a time. A finished one stays as it is.
func (i Itinerary) Advance(now time.Time) Itinerary {
	if i.IsFinished() {
		return i
	}
	left := i.Steps[0]
	left.CompletedAt = now.UTC().Truncate(time.Second)
	return Itinerary{Steps: i.Steps[1:], Done: append(slices.Clip(i.Done), left)}
}

// itineraryJSON and stopJSON are the JSON of an itinerary, field by field in the order of the contract.
type itineraryJSON struct {
	Steps []stopJSON `json:"steps"`
	Done  []stopJSON `json:"done,omitempty"`
}

type stopJSON struct {
	Exchange    string `json:"exchange"`
	Key         string `json:"routingKey"`
	Name        string `json:"name,omitempty"`
	CompletedAt string `json:"completedAt,omitempty"`
}

// Encode returns the JSON that goes on the wire: compact, without HTML escapes, "done" left out where it is empty,
// times in UTC to the second (contract: routing slips, itinerary). It refuses text that is not UTF-8.
func (i Itinerary) Encode() (string, error) {
	document := itineraryJSON{Steps: encodeStops(i.Steps), Done: encodeStops(i.Done)}
	for _, stop := range slices.Concat(document.Steps, document.Done) {
		if !utf8.ValidString(stop.Exchange) || !utf8.ValidString(stop.Key) || !utf8.ValidString(stop.Name) {
			return "", fmt.Errorf("the stop %+q of the itinerary is not valid UTF-8", stop)
		}
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		return "", fmt.Errorf("the itinerary: %w", err)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

func encodeStops(stops []Stop) []stopJSON {
	encoded := make([]stopJSON, 0, len(stops))
	for _, stop := range stops {
		s := stopJSON{Exchange: stop.Exchange, Key: stop.Key, Name: stop.Name}
		if !stop.CompletedAt.IsZero() {
			s.CompletedAt = stop.CompletedAt.UTC().Format("2006-01-02T15:04:05Z")
		}
		encoded = append(encoded, s)
	}
	return encoded
}

// ReadItinerary reads the value of the header "acemq-routing-slip", text or bytes. It takes what every library of the
// family writes: missing fields, null for a list or a text, fields of a later release, times to any fraction and in any
// zone. A time that cannot be read is none. What is not JSON, and JSON that is no itinerary, is an error.
func ReadItinerary(value any) (Itinerary, error) {
	var document []byte
	switch v := value.(type) {
	case string:
		document = []byte(v)
	case []byte:
		document = v
	default:
		return Itinerary{}, fmt.Errorf("the header %q holds %T and no text", HeaderItinerary, value)
	}
	i, err := decodeItinerary(document)
	if err != nil {
		return Itinerary{}, fmt.Errorf("the header %q is no itinerary: %w", HeaderItinerary, err)
	}
	return i, nil
}

func decodeItinerary(document []byte) (Itinerary, error) {
	fields, err := decodeObject(document)
	if err != nil {
		return Itinerary{}, err
	}
	var i Itinerary
	if i.Steps, err = decodeStops(fields, "steps"); err != nil {
		return Itinerary{}, err
	}
	if i.Done, err = decodeStops(fields, "done"); err != nil {
		return Itinerary{}, err
	}
	return i, nil
}

// decodeObject reads a JSON object by its exact field names, which a struct of encoding/json would not.
func decodeObject(document []byte) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(document, &fields); err != nil {
		return nil, err
	}
	if fields == nil {
		return nil, errors.New("null is no object")
	}
	return fields, nil
}

func decodeStops(fields map[string]json.RawMessage, name string) ([]Stop, error) {
	var list []json.RawMessage
	if err := decodeField(fields, name, &list); err != nil {
		return nil, err
	}
	var stops []Stop
	for n, document := range list {
		stop, err := decodeStop(document)
		if err != nil {
			return nil, fmt.Errorf("%s, item %d: %w", name, n, err)
		}
		stops = append(stops, stop)
	}
	return stops, nil
}

func decodeStop(document []byte) (Stop, error) {
	fields, err := decodeObject(document)
	if err != nil {
		return Stop{}, err
	}
	var stop Stop
	var completed any
	err = errors.Join(
		decodeField(fields, "exchange", &stop.Exchange),
		decodeField(fields, "routingKey", &stop.Key),
		decodeField(fields, "name", &stop.Name),
		decodeField(fields, "completedAt", &completed))
	if err != nil {
		return Stop{}, err
	}
	if at, ok := completed.(string); ok {
		stop.CompletedAt = completion(at)
	}
	return stop, nil
}

// decodeField reads a field that may be missing or null.
func decodeField(fields map[string]json.RawMessage, name string, into any) error {
	value, there := fields[name]
	if !there || bytes.Equal(value, []byte("null")) {
		return nil
	}
	if err := json.Unmarshal(value, into); err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	return nil
}

// completion reads when a stop was left. It tells people how far a message came and is never computed with, so that one
// which cannot be read is no reason to stop a message.
func completion(at string) time.Time {
	t, err := time.Parse(time.RFC3339, at)
	if t = t.UTC(); err != nil || t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}
