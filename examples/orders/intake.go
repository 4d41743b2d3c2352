package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/acemq/acemq-gen/examples/orders/orders"
)

// sample is read where no file of orders is named.
//
//go:embed sample.jsonl
var sample []byte

// order is one line of an orders file.
type order struct {
	OrderID    int64  `json:"orderId"`
	CustomerID string `json:"customerId"`
	OrderDate  string `json:"orderDate"`
	ShipTo     struct {
		Country string `json:"country"`
	} `json:"shipTo"`
	Lines []struct {
		ProductID int64   `json:"productId"`
		UnitPrice float64 `json:"unitPrice"`
		Quantity  int64   `json:"quantity"`
		Discount  float64 `json:"discount"`
	} `json:"lines"`

	// Total is what the customer was told the lines cost. Without it, it is what they cost.
	Total *float64 `json:"total"`

	// Broken is what an old till sent in place of an event: bytes that nobody can read.
	Broken string `json:"broken"`
}

// readOrders reads a file of orders, a JSON object a line, or the sample where path is empty. It returns all of them
// or an error that names the line.
func readOrders(path string) ([]order, error) {
	if path == "" {
		return parseOrders("sample.jsonl", bytes.NewReader(sample))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseOrders(path, file)
}

func parseOrders(name string, r io.Reader) ([]order, error) {
	var all []order
	seen := map[int64]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	line := 0
	for lines.Scan() {
		line++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		o, err := parseOrder(lines.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		if first, twice := seen[o.OrderID]; twice {
			return nil, fmt.Errorf("%s:%d: order %d is there twice, first on line %d", name, line, o.OrderID, first)
		}
		seen[o.OrderID] = line
		all = append(all, o)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, line+1, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: there is no order in it", name)
	}
	return all, nil
}

func parseOrder(text []byte) (order, error) {
	var o order
	if err := json.Unmarshal(text, &o); err != nil {
		return order{}, fmt.Errorf("this is not an order: %w", err)
	}
	_, dateErr := o.placedAt()
	switch {
	case o.OrderID <= 0:
		return order{}, errors.New("the orderId is missing or not above 0")
	case o.CustomerID == "":
		return order{}, errors.New("the customerId is missing")
	case !isWord(o.ShipTo.Country):
		return order{}, fmt.Errorf("the shipTo.country is %.60q: it is a word of the routing key, so it has a letter, no dot "+
			"and no control character, and 200 bytes at most", o.ShipTo.Country)
	case len(o.Lines) == 0 && o.Broken == "":
		return order{}, errors.New("there are no lines")
	case dateErr != nil:
		return order{}, fmt.Errorf("the orderDate is %q: write it as 2026-01-31", o.OrderDate)
	}
	return o, nil
}

// isWord reports whether a text can be a word of a routing key, and be kept in any database.
func isWord(text string) bool {
	return text != "" && len(text) <= 200 && !strings.Contains(text, ".") && !strings.ContainsFunc(text, unicode.IsControl)
}

func (o order) placedAt() (time.Time, error) { return time.Parse(time.DateOnly, o.OrderDate) }

// cart is what a till sends of the order.
func (o order) cart() orders.Cart {
	at, _ := o.placedAt()
	c := orders.Cart{OrderID: o.OrderID, CustomerID: o.CustomerID, Country: o.ShipTo.Country, PlacedAt: at}
	for _, l := range o.Lines {
		c.Lines = append(c.Lines, orders.Line{
			ProductID: l.ProductID, UnitPriceCents: cents(l.UnitPrice), Quantity: l.Quantity, Discount: l.Discount,
		})
	}
	if o.Total != nil {
		told := cents(*o.Total)
		c.ToldCents = &told
	}
	return c
}

// sum is what lines cost in cents, each line rounded.
func sum(lines []orders.Line) int64 {
	var total int64
	for _, l := range lines {
		total += int64(math.Round(float64(l.UnitPriceCents*l.Quantity) * (1 - l.Discount)))
	}
	return total
}

func cents(amount float64) int64 { return int64(math.Round(amount * 100)) }
