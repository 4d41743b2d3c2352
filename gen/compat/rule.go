package compat

// Verdict says who can live with a change.
type Verdict string

// The verdicts.
const (
	Safe       Verdict = "safe"
	OldReaders Verdict = "safe for old readers" // new readers may meet old messages that they do not expect
	NewReaders Verdict = "safe for new readers" // old readers may meet new messages that they do not expect
	Breaking   Verdict = "breaking"
)

// Rule is one kind of change.
type Rule struct {
	Name    string // "required-member-removed"
	Verdict Verdict
	Reason  string // one sentence, for a person
}

// Rules is every rule, by what it is about.
var Rules = []Rule{
	anyTyped, typeOpened, typeChanged, integerToNumber, numberToInteger, nullAllowed, nullRefused,
	optionalAdded, requiredAdded, optionalAddedToClosed, requiredAddedToClosed,
	optionalRemoved, optionalRemovedFromClosed, requiredRemoved, madeOptional, madeRequired,
	objectClosed, objectOpened,
	enumAdded, enumRemoved, enumValueAdded, enumValueRemoved,
	limitNarrowed, limitWidened, stepChanged, patternAdded, patternRemoved, patternChanged,
	formatAdded, formatRemoved, formatChanged, encodingChanged, alternativesChanged, wordingChanged,
}

// Types.
var (
	anyTyped        = Rule{"type-added", OldReaders, "what could be anything has a type"}
	typeOpened      = Rule{"type-removed", NewReaders, "what had a type can be anything"}
	typeChanged     = Rule{"type-changed", Breaking, "neither side can read the other's type"}
	integerToNumber = Rule{"integer-to-number", NewReaders, "old readers do not expect a fraction"}
	numberToInteger = Rule{"number-to-integer", OldReaders, "old messages may have a fraction"}
	nullAllowed     = Rule{"null-allowed", NewReaders, "old readers do not expect null"}
	nullRefused     = Rule{"null-refused", OldReaders, "old messages may have null"}
)

// Members.
var (
	optionalAdded             = Rule{"optional-member-added", Safe, "old readers pass over it, and old messages may lack it"}
	requiredAdded             = Rule{"required-member-added", OldReaders, "old messages do not have it"}
	optionalAddedToClosed     = Rule{"optional-member-added-to-closed", NewReaders, "old readers refuse members that they do not know"}
	requiredAddedToClosed     = Rule{"required-member-added-to-closed", Breaking, "old readers refuse it, and old messages do not have it"}
	optionalRemoved           = Rule{"optional-member-removed", Safe, "old readers can do without it, and new ones pass over it"}
	optionalRemovedFromClosed = Rule{"member-removed-from-closed", OldReaders, "new readers refuse members that they do not know"}
	requiredRemoved           = Rule{"required-member-removed", Breaking, "old readers rely on it: make it optional first"}
	madeOptional              = Rule{"member-made-optional", NewReaders, "old readers expect it always"}
	madeRequired              = Rule{"member-made-required", OldReaders, "old messages may lack it"}
	objectClosed              = Rule{"object-closed", OldReaders, "old messages may have more members"}
	objectOpened              = Rule{"object-opened", NewReaders, "old readers refuse members that they do not know"}
)

// Values.
var (
	enumAdded        = Rule{"enum-added", OldReaders, "old messages may have other values"}
	enumRemoved      = Rule{"enum-removed", NewReaders, "old readers expect the values of the list"}
	enumValueAdded   = Rule{"enum-value-added", NewReaders, "old readers do not know the value"}
	enumValueRemoved = Rule{"enum-value-removed", OldReaders, "old messages may have the value"}
	limitNarrowed    = Rule{"limit-narrowed", OldReaders, "old messages may be outside of the limit"}
	limitWidened     = Rule{"limit-widened", NewReaders, "old readers expect values inside of the old limit"}
	stepChanged      = Rule{"step-changed", Breaking, "neither step holds the other's values"}
	patternAdded     = Rule{"pattern-added", OldReaders, "old messages may have other texts"}
	patternRemoved   = Rule{"pattern-removed", NewReaders, "old readers expect texts of the pattern"}
	patternChanged   = Rule{"pattern-changed", Breaking, "whether one pattern holds the other's texts cannot be told"}
	formatAdded      = Rule{"format-added", OldReaders, "old messages may have texts of another format"}
	formatRemoved    = Rule{"format-removed", NewReaders, "old readers expect texts of the format"}
	formatChanged    = Rule{"format-changed", Breaking, "neither side can read the other's format"}
	encodingChanged  = Rule{"encoding-changed", Breaking, "one side takes for text what the other encodes"}
)

// The rest.
var (
	alternativesChanged = Rule{"alternatives-changed", Breaking, "whether one choice holds the other's values cannot be told"}
	wordingChanged      = Rule{"wording-changed", Safe, "only what people read is different"}
)
