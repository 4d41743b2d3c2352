// Package orders is the message flow of an order service: what it says, and who listens.
package orders

import "time"

// Cart is what a till hands over.
//
//acemq:message
type Cart struct {
	OrderID    int64     `json:"orderId"`
	CustomerID string    `json:"customerId"`
	Country    string    `json:"country"`
	Lines      []Line    `json:"lines"`
	ToldCents  *int64    `json:"toldCents,omitempty"` // what the customer was told it costs, where a price was named
	PlacedAt   time.Time `json:"placedAt"`
}

// Line is one product of an order.
type Line struct {
	ProductID      int64   `json:"productId"`
	UnitPriceCents int64   `json:"unitPriceCents"`
	Quantity       int64   `json:"quantity"`
	Discount       float64 `json:"discount"` // a part of the price, from 0 to 1
}

// Order is what a customer ordered, with its price.
//
//acemq:message
type Order struct {
	OrderID    int64     `json:"orderId"`
	CustomerID string    `json:"customerId"`
	Country    string    `json:"country"`
	Lines      []Line    `json:"lines"`
	TotalCents int64     `json:"totalCents"`
	PlacedAt   time.Time `json:"placedAt"`
}

// QuoteRequest asks what lines would cost.
//
//acemq:message
type QuoteRequest struct {
	Lines []Line `json:"lines"`
}

// Quote says what the lines of a request cost.
//
//acemq:message
type Quote struct {
	TotalCents int64 `json:"totalCents"`
}

// OrderPlaced says that an order was accepted.
//
//acemq:message type=order.placed version=1
type OrderPlaced struct{ Order }

// OrderBilled says that an order was paid.
//
//acemq:message type=order.billed version=1
type OrderBilled struct{ Order }

// PaymentDue asks whether an order was paid.
//
//acemq:message
type PaymentDue struct {
	OrderID    int64 `json:"orderId"`
	TotalCents int64 `json:"totalCents"`
}

// LedgerEntry moves money on a customer's account.
//
//acemq:message
type LedgerEntry struct {
	CustomerID string `json:"customerId"`
	OrderID    int64  `json:"orderId"`
	Cents      int64  `json:"cents"`
}

// Account is the account of an entry: entries of one account are applied in order.
func (e LedgerEntry) Account() string { return e.CustomerID }

// Parcel is a packed order.
//
//acemq:message
type Parcel struct {
	OrderID int64  `json:"orderId"`
	Country string `json:"country"`
	Pieces  int64  `json:"pieces"`
}
