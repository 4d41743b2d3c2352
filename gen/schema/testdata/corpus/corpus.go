// Package corpus holds types that the schemas of gen/schema are held against encoding/json with.
package corpus

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"github.com/acemq/acemq-gen/gen/schema/testdata/corpus/other"
)

// Status is where an order stands.
type Status string

// The states of an order.
const (
	Open    Status = "open"
	Paid    Status = "paid"
	Shipped Status = "shipped"
)

// Level is a level of support.
type Level int

// The levels.
const (
	Bronze Level = iota
	Silver
	Gold
)

// Flags are bits, and no enum.
type Flags uint8

// The flags.
const (
	Gift Flags = 1 << iota
	Express
	Fragile
)

// Cents are an amount, and its constants are no list.
type Cents int64

// Some amounts.
const (
	Free Cents = 0
	Max  Cents = 100000
)

// Name has one constant, which is no list.
type Name string

// Nobody is a name.
const Nobody Name = "nobody"

// Colour writes itself as text.
type Colour uint8

// Red and Blue are colours.
const (
	Red Colour = iota
	Blue
)

// MarshalText writes a colour.
func (c Colour) MarshalText() ([]byte, error) { return []byte([]string{"red", "blue"}[c%2]), nil }

// UnmarshalText reads a colour.
func (c *Colour) UnmarshalText(text []byte) error {
	switch string(text) {
	case "red":
		*c = Red
	case "blue":
		*c = Blue
	default:
		return fmt.Errorf("no colour %q", text)
	}
	return nil
}

// Ticket writes itself by a pointer.
type Ticket struct{ N int }

// MarshalText writes a ticket.
func (t *Ticket) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "T%d", t.N), nil }

// UnmarshalText reads a ticket.
func (t *Ticket) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "T%d", &t.N)
	return err
}

// Decimal writes itself as a string.
//
//acemq:schema type=string pattern="^-?[0-9]+\\.[0-9]{2}$" example=12.50
type Decimal struct{ cents int64 }

// MarshalJSON writes a decimal.
func (d Decimal) MarshalJSON() ([]byte, error) { return []byte(`"12.50"`), nil }

// UnmarshalJSON reads a decimal.
func (d *Decimal) UnmarshalJSON(text []byte) error { return nil }

// Inner is a part of many.
type Inner struct {
	A string `json:"a"`
	B int    `json:"b,omitempty"`
}

type hidden struct {
	Seen string `json:"seen"`
	not  string
}

// Base is embedded.
type Base struct {
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
}

// Left and Right clash.
type Left struct {
	X string
	L int
}

// Right clashes with Left.
type Right struct {
	X string
	R int
}

// Lines is a named slice.
type Lines []Inner

// Index is a named map.
type Index map[string]Inner

// Maybe is a named pointer.
type Maybe *Inner

// Blob is a named []byte.
type Blob []byte

// Octet is a named byte.
type Octet byte

// Page is generic.
type Page[T any] struct {
	Items []T `json:"items"`
	Next  *T  `json:"next"`
	Total int `json:"total"`
}

// Pair is generic in two.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Zeroer says itself when it is zero.
type Zeroer []string

// IsZero reports whether it starts with "zero".
func (z Zeroer) IsZero() bool { return len(z) > 0 && z[0] == "zero" }

// Label is an alias.
type Label = string

// Messages of every kind.
type (
	//acemq:message
	Empty struct{}
	//acemq:message
	Strings struct {
		A string
		B string `json:"b"`
		C string `json:"c,omitempty"`
		D string `json:"d,omitzero"`
		E string `json:",omitempty"`
		F string `json:"-"`
		G string `json:"-,"`
		H string `json:"h,string"`
		i string
	}
	//acemq:message
	Bools struct {
		A bool
		B bool `json:"b,omitempty"`
		C bool `json:"c,string"`
		D *bool
		E *bool `json:"e,string"`
	}
	//acemq:message
	Signed struct {
		A int
		B int8
		C int16
		D int32
		E int64
		F rune
	}
	//acemq:message
	Unsigned struct {
		A uint
		B uint8
		C uint16
		D uint32
		E uint64
		F uintptr
		G byte
	}
	//acemq:message
	QuotedNumbers struct {
		A int      `json:"a,string"`
		B uint8    `json:"b,string"`
		C float64  `json:"c,string"`
		D *int     `json:"d,string"`
		E **int    `json:"e,string"`
		F int      `json:"f,string,omitempty"`
		G []int    `json:"g,string"`
		H Inner    `json:"h,string"`
		I Cents    `json:"i,string"`
		K Level    `json:"k,string"`
		L Status   `json:"l,string"`
		M Name     `json:"m,string"`
		N *float32 `json:"n,string,omitempty"`
	}
	//acemq:message
	Floats struct {
		A float32
		B float64
		C *float64
	}
	//acemq:message
	Pointers struct {
		A *string
		B *string `json:"b,omitempty"`
		C *string `json:"c,omitzero"`
		D **string
		E **string `json:"e,omitempty"`
		F *Inner
		G *Inner `json:"g,omitempty"`
		H *[]string
		I Maybe
	}
	//acemq:message
	Slices struct {
		A []string
		B []string `json:"b,omitempty"`
		C []string `json:"c,omitzero"`
		D [][]int
		E []*int
		F []Inner
		G []*Inner `json:"g,omitempty"`
		H Lines
		I Lines `json:"i,omitempty"`
		J []Lines
		K *Lines
	}
	//acemq:message
	ByteSlices struct {
		A []byte
		B []byte `json:"b,omitempty"`
		C Blob
		D []Octet
		E [3]byte
		F [][]byte
		G *[]byte
		H []Colour
		I []uint8 `json:"i,omitzero"`
	}
	//acemq:message
	Arrays struct {
		A [2]string
		B [0]string
		C [0]string `json:"c,omitempty"`
		D [1]int    `json:"d,omitempty"`
		E [2]Inner  `json:"e,omitzero"`
		F [2]*int
	}
	//acemq:message
	Maps struct {
		A map[string]string
		B map[string]int `json:"b,omitempty"`
		C map[string]*int
		D map[string][]string
		E map[string]Inner
		F map[string]any
		G Index
		H Index `json:"h,omitzero"`
	}
	//acemq:message
	MapKeys struct {
		A map[int]string
		B map[uint8]string
		C map[Status]string
		D map[Name]string
		E map[Colour]string
		F map[Level]string
		G map[uuid.UUID]string
		H map[netip.Addr]int
		I map[int8]Inner
	}
	//acemq:message
	Anything struct {
		A any
		B interface{} `json:"b,omitempty"`
		C []any
		D *any
		E any `json:"e,omitzero"`
	}
	//acemq:message
	Times struct {
		A time.Time
		B *time.Time
		C time.Time     `json:"c,omitzero"`
		D time.Time     `json:"d,omitempty"`
		E time.Duration // in nanoseconds
		F []time.Time
		G time.Month
		H time.Weekday
		I time.Duration `json:"i,string"` // in nanoseconds
	}
	//acemq:message
	Known struct {
		A json.RawMessage
		B json.Number
		C *big.Int
		D big.Int
		E *big.Float
		F netip.Addr
		G netip.Prefix
		H uuid.UUID
		I *uuid.UUID `json:"i,omitempty"`
		J uuid.NullUUID
		K json.Number `json:"k,string"`
		L []json.Number
		M *big.Rat
	}
	//acemq:message
	Texts struct {
		A Colour
		B *Colour
		C []Colour
		D Ticket
		E *Ticket
		F []Ticket
		G [2]Ticket
		H map[string]*Ticket
		I Colour `json:"i,omitempty"`
	}
	//acemq:message
	Marshalers struct {
		A Decimal
		B *Decimal
		C []Decimal
		D map[string]Decimal
		E other.Price
		F other.Price `json:"f,omitempty"`
	}
	//acemq:message
	Enums struct {
		A Status
		B Level
		C Flags
		D Cents
		E Name
		F []Status
		G *Level
		H map[string]Status
		I other.Currency
	}
	//acemq:message
	Nested struct {
		A Inner
		B struct {
			C string `json:"c"`
			D []struct{ E int }
		}
		F *struct{ G bool } `json:"f,omitempty"`
	}
	//acemq:message
	SameNames struct {
		A Inner
		B other.Inner
		C []other.Inner
	}
	//acemq:message
	Foreign struct {
		A other.Amount
		B *other.Amount `json:"b,omitempty"`
	}
	//acemq:message
	Embeds struct {
		Base
		Total int
	}
	//acemq:message
	EmbedsPointer struct {
		*Base
		Total int
	}
	//acemq:message
	EmbedsTagged struct {
		Base `json:"base"`
		Inner
	}
	//acemq:message
	EmbedsHidden struct {
		hidden
		A string
	}
	//acemq:message
	EmbedsHiddenPointer struct {
		A string
		*Inner
	}
	//acemq:message
	EmbedsClash struct {
		Left
		Right
	}
	//acemq:message
	EmbedsClashResolved struct {
		Left
		Right
		X int `json:"X"`
	}
	//acemq:message
	EmbedsTwice struct {
		EmbedsOnceA
		EmbedsOnceB
	}
	//acemq:message
	EmbedsOnceA struct{ Base }
	//acemq:message
	EmbedsOnceB struct{ Base }
	//acemq:message
	EmbedsTagWins struct {
		Tagged
		Untagged
	}
	//acemq:message
	Tagged struct {
		V string `json:"Value"`
	}
	//acemq:message
	Untagged struct{ Value int }
	//acemq:message
	EmbedsDepth struct {
		EmbedsOnceA
		ID int `json:"id"`
	}
	//acemq:message
	EmbedsString struct {
		Name
		Lines
		Flags `json:"flags,omitempty"`
	}
	//acemq:message
	EmbedsAny struct {
		Index
		Maybe2 Maybe
	}
	//acemq:message
	EmbedsGeneric struct {
		Pair[string, int]
		C bool
	}
	//acemq:message
	EmbedsForeign struct {
		other.Amount
		*other.Inner
	}
	//acemq:message
	EmbedsDeep struct{ EmbedsDeep1 }
	//acemq:message
	EmbedsDeep1 struct{ *EmbedsDeep2 }
	//acemq:message
	EmbedsDeep2 struct {
		Left
		D string `json:"d,omitempty"`
	}
	//acemq:message
	EmbedsSelf struct {
		*EmbedsSelf
		A string
	}
	//acemq:message
	Tree struct {
		Value    string
		Children []Tree
		Parent   *Tree `json:"parent,omitempty"`
	}
	//acemq:message
	Mutual struct {
		B *MutualB
	}
	//acemq:message
	MutualB struct {
		A *Mutual `json:"a,omitempty"`
		L []MutualB
	}
	//acemq:message
	Forest struct {
		Trees map[string]Tree
		Nest  Nest
	}
	//acemq:message
	Generics struct {
		A Page[string]
		B Page[Inner]
		C Page[*Inner]
		D Page[[]int]
		E Pair[Inner, other.Inner]
		F Page[Page[Inner]]
	}
	//acemq:message
	Names struct {
		A string `json:"a.b"`
		B string `json:"c/d"`
		C string `json:"ü"`
		D string `json:"e f"`
		E string `json:"bad\"name"`
		F string `json:"<tag>"`
		G string `json:"$ref"`
		H string `json:"~tilde"`
	}
	//acemq:message
	Aliases struct {
		A Label
		B []Label
		C AliasOfInner
		D *AliasOfInner
	}
	//acemq:message
	Zeros struct {
		A Zeroer `json:"a,omitzero"`
		B []int  `json:"b,omitzero"`
		C Inner  `json:"c,omitzero"`
		D *Inner `json:"d,omitzero"`
		E any    `json:"e,omitzero,omitempty"`
	}
	//acemq:message
	Unexported struct {
		a string
		b chan int
		C string
	}
	//acemq:message
	Skipped struct {
		A chan int   `json:"-"`
		B func()     `json:"-"`
		C complex128 `json:"-"`
		D string
	}
	//acemq:message
	//acemq:closed
	Closed struct {
		A string
		B *Inner
	}
	//acemq:message
	Described struct {
		// A is described above.
		A string
		B string // B is described behind.
		// C is gone.
		//
		// Deprecated: use A.
		C Inner
	}
	//acemq:message
	Replaced struct {
		A fmt.Stringer `json:"-"`
		B rawText      `jsonschema:"type=string,format=raw"`
		C *rawText     `json:"c,omitempty" jsonschema:"type=string"`
	}
)

type rawText struct{ text string }

// MarshalJSON writes the text.
func (t rawText) MarshalJSON() ([]byte, error) { return json.Marshal(t.text) }

// UnmarshalJSON reads the text.
func (t *rawText) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &t.text) }

// AliasOfInner is an alias of a struct.
type AliasOfInner = Inner

// Nest holds itself without a struct.
type Nest []Nest
