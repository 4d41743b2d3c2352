// Package orders is the message flow of an order service: what it says, and who listens.
package orders

import "time"

// OrderPlaced says that an order was accepted.
//
//acemq:message type=order.placed version=1
type OrderPlaced struct {
	OrderID    int64     `json:"orderId"`
	CustomerID string    `json:"customerId"`
	Country    string    `json:"country"`
	Lines      []Line    `json:"lines"`
	TotalCents int64     `json:"totalCents"`
	PlacedAt   time.Time `json:"placedAt"`
}

// Line is one product of an order.
type Line struct {
	ProductID      int64   `json:"productId"`
	UnitPriceCents int64   `json:"unitPriceCents"`
	Quantity       int64   `json:"quantity"`
	Discount       float64 `json:"discount"` // a part of the price, from 0 to 1
}

// OrderBilled says that an order was paid.
//
//acemq:message type=order.billed version=1
type OrderBilled struct {
	OrderID    int64 `json:"orderId"`
	TotalCents int64 `json:"totalCents"`
}
