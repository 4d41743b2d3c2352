// Package other has types that messages of another package are made of.
package other

// Inner shares its name with a type of the package that uses it.
type Inner struct {
	Note string `json:"note"`
}

// Currency is an ISO code.
type Currency string

// The currencies.
const (
	EUR Currency = "EUR"
	USD Currency = "USD"
)

// Amount is an amount of money in minor units.
type Amount struct {
	// Minor is the number of cents.
	Minor    int64    `json:"minor"`
	Currency Currency `json:"currency"`
}

// Price writes itself as "12.50".
//
//acemq:schema type=string format=decimal example=12.50
type Price struct{ Cents int64 }

// MarshalJSON writes a price.
func (p Price) MarshalJSON() ([]byte, error) { return []byte(`"12.50"`), nil }

// UnmarshalJSON reads a price.
func (p *Price) UnmarshalJSON(b []byte) error { p.Cents = 1250; return nil }
