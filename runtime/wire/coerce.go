package wire

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// text reads a header that holds text, as a string or as bytes. Anything else, and the empty text, reads as absent.
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// integer reads a header that holds a whole number: any integer width, a floating point number (its whole part), or
// a decimal text. Client libraries choose their own width, so a reader takes them all.
func integer(value any) (int64, bool) {
	switch v := value.(type) {
	case int:
		return int64(v), true
	case int8:
		return int64(v), true
	case int16:
		return int64(v), true
	case int32:
		return int64(v), true
	case int64:
		return v, true
	case uint:
		return int64(v), uint64(v) <= math.MaxInt64
	case uint8:
		return int64(v), true
	case uint16:
		return int64(v), true
	case uint32:
		return int64(v), true
	case uint64:
		return int64(v), v <= math.MaxInt64
	case float32:
		return whole(float64(v))
	case float64:
		return whole(v)
	case string, []byte:
		n, err := strconv.ParseInt(strings.TrimSpace(text(v)), 10, 64)
		return n, err == nil
	}
	return 0, false
}

func whole(f float64) (int64, bool) {
	if math.IsNaN(f) || f < math.MinInt64 || f >= math.MaxInt64 {
		return 0, false
	}
	return int64(f), true
}

// counter reads a number that starts at low; a missing, unreadable or smaller one reads as low, because a malformed
// counter must never stop a delivery.
func counter(value any, low int) int {
	n, ok := integer(value)
	if !ok || n < int64(low) || n > math.MaxInt32 {
		return low
	}
	return int(n)
}

// instant reads milliseconds since 1970, or an AMQP timestamp. What is missing, unreadable or not after 1970 reads
// as the zero time.
func instant(value any) time.Time {
	if t, ok := value.(time.Time); ok {
		value = t.UnixMilli()
	}
	if ms, ok := integer(value); ok && ms > 0 {
		return time.UnixMilli(ms).UTC()
	}
	return time.Time{}
}
