package ordered

import (
	"strconv"
	"strings"
)

// Status is how a consumer is, in the words of health checks.
type Status string

// The statuses.
const (
	Up       Status = "up"
	Degraded Status = "degraded" // a partition is halted; the others go on
)

// Health is what a health check reports of a consumer (contract: ordered by key, visible state).
type Health struct {
	Name    string // "ordered:{name}"
	Status  Status
	Details map[string]string // "partitions", "handled", "failed", "skipped", and "halted" as "1,4", empty for none
}

// Health returns how the consumer is, without asking the broker.
func (c *Consumer) Health() Health {
	counts, halted := c.Counts(), c.HaltedPartitions()
	h := Health{Name: "ordered:" + c.declaration.Name, Status: Up}
	if len(halted) > 0 {
		h.Status = Degraded
	}
	var numbers []string
	for _, n := range halted {
		numbers = append(numbers, strconv.Itoa(n))
	}
	h.Details = map[string]string{
		"partitions": strconv.Itoa(len(c.partitions)),
		"handled":    strconv.FormatInt(counts.Handled, 10),
		"failed":     strconv.FormatInt(counts.Failed, 10),
		"skipped":    strconv.FormatInt(counts.Skipped, 10),
		"halted":     strings.Join(numbers, ","),
	}
	return h
}
