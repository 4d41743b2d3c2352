package wire

import "fmt"

// ReplyReason returns the text of the acemq-error header: why a server failed at a request.
func ReplyReason(cause error) string { return cut(because(cause)) }

// ReplyFailure reads the acemq-error header of a reply. An empty text is no failure: in the contract, empty reads as
// absent.
func ReplyFailure(headers Table) (reason string, failed bool) {
	switch v := headers[HeaderReplyError].(type) {
	case nil:
		return "", false
	case string, []byte:
		reason = text(v)
		return reason, reason != ""
	default:
		return fmt.Sprint(v), true
	}
}
