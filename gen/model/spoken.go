package model

import (
	"strings"
	"time"
)

// DefaultRetryDelay is the wait between the attempts of a consumer that declares no policy
// (contract: consuming, no policy).
const DefaultRetryDelay = 5 * time.Second

// Spoken returns a duration as people write it: "1m", not "1m0s".
func Spoken(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
