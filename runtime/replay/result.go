package replay

// Result says what a replay did.
type Result struct {
	From, Into string
	Moved      int    // messages whose copy is in Into, and that are off From
	Skipped    int    // messages that the filter declined, and that are in From
	Unreadable int    // messages among the Skipped that could not be decoded
	Stopped    Reason // why the run ended
}

// Reason is why a replay ended.
type Reason string

// The reasons, in the words of all AceMQ libraries. With the first two there is no error.
const (
	Drained   Reason = "drained"   // it has seen every message that waited when it began
	Limit     Reason = "limit"     // it has moved as many as it was told
	Cancelled Reason = "cancelled" // its context was cancelled
	Deadline  Reason = "deadline"  // the deadline of its context has passed
	Failed    Reason = "failed"    // a message could not be moved; it is where it was
)
