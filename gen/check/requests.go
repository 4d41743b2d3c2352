package check

import "github.com/acemq/acemq-gen/gen/diag"

// requests finds requests whose failures nobody hears of. What else there is to check of them is checked with their
// queues and messages.
func (c *checker) requests() {
	for i := range c.flow.Requests {
		r := &c.flow.Requests[i]
		if at, delayed := places(r.Queue.Options)["RetryDelay"]; delayed && r.Queue.Retry == nil {
			c.report(diag.RequestForever, at,
				"take it out, so that the first failure is the last, or write flow.Retry with a policy that ends",
				"a request of %s that fails is tried again for ever, and its caller is never told", r.Name)
		}
	}
}
