package diag

import (
	"maps"
	"slices"
)

// kind is what there is to know of a code.
type kind struct {
	title   string
	warning bool
}

// kinds holds every code. It is filled while the package is initialised and only read afterwards.
var kinds = map[Code]kind{}

// declare declares the code of a mistake, with which nothing is generated.
func declare(code Code, title string) Code {
	kinds[code] = kind{title: title}
	return code
}

// warn declares the code of a warning: the flow can be generated, and may not do what its author expects.
func warn(code Code, title string) Code {
	kinds[code] = kind{title: title, warning: true}
	return code
}

// Loading.
var (
	PackageLoad = declare("ACE0001", "A package cannot be loaded")
	Syntax      = declare("ACE0002", "A file is not Go")
)

// Markers and messages.
var (
	MarkerUnknown   = declare("ACE0101", "A marker that does not exist")
	MarkerSpaced    = declare("ACE0102", "A marker that Go takes for prose")
	MarkerMisplaced = declare("ACE0103", "A marker in a place where it means nothing")
	MarkerDoubled   = declare("ACE0104", "A message that is marked twice")
	MarkerMalformed = declare("ACE0105", "A marker that cannot be read")
	MarkerKey       = declare("ACE0106", "A marker with a key that does not exist")
	MarkerValue     = declare("ACE0107", "A marker with a value out of range")
	MessageClash    = declare("ACE0108", "Two messages of one type and version")
	MessageUnmarked = declare("ACE0109", "A message that is not marked")
	MessageKind     = declare("ACE0110", "A type that cannot be a message")
	InvalidType     = declare("ACE0111", "A type that does not compile")
)

// Declarations as Go.
var (
	NotConstant  = declare("ACE0201", "An argument that is not constant")
	InFunction   = declare("ACE0202", "A declaration inside a function")
	NotAVariable = declare("ACE0203", "A declaration that is not the value of a variable")
	Reassigned   = declare("ACE0204", "A declared variable that is assigned again")
	NotDeclared  = declare("ACE0205", "A use of something that flow.go does not declare")
	NotACall     = declare("ACE0206", "An option that is not written where it is used")
	WrongOption  = declare("ACE0207", "An option in a place where it means nothing")
	OptionTwice  = declare("ACE0208", "An option that is given twice")
	NotGo        = declare("ACE0209", "A declaration that does not compile")
	Nameless     = declare("ACE0211", "A declaration without a name")
)

// The flow.
var (
	NameEmpty         = declare("ACE0301", "An empty name")
	NameTooLong       = declare("ACE0302", "A name or a key that is too long")
	NameReserved      = declare("ACE0303", "A name that is reserved")
	NameTaken         = declare("ACE0304", "A queue that another queue brings with it")
	ExchangeTwice     = declare("ACE0305", "One exchange declared twice differently")
	QueueTwice        = declare("ACE0306", "One queue declared twice differently")
	KeyMalformed      = declare("ACE0307", "A routing key that cannot be read")
	KeyField          = declare("ACE0308", "A routing key with a field that cannot fill it")
	KeyIgnored        = declare("ACE0309", "A key where the exchange reads none")
	KeyMissing        = declare("ACE0310", "A key is missing")
	KeyUnbindable     = declare("ACE0311", "A publication that no binding can follow")
	ConsumerType      = declare("ACE0312", "A consumer of another type than is published")
	OutOfRange        = declare("ACE0313", "A number out of range")
	BadDuration       = declare("ACE0314", "A time that the broker cannot keep")
	BadRetry          = declare("ACE0315", "A retry policy that cannot be kept")
	ExternalOption    = declare("ACE0316", "An option that describes what somebody else declares")
	DispatcherEmpty   = declare("ACE0317", "A dispatcher that takes nothing")
	DispatcherCase    = declare("ACE0318", "A dispatcher with two cases for one message")
	DefaultExchange   = declare("ACE0319", "A binding to the default exchange")
	OptionsContradict = declare("ACE0320", "Options that contradict each other")
)

// Chains of steps, routes, and ordered queues.
var (
	StepName      = declare("ACE0321", "A step or a stop with a name that cannot be used")
	StepTwice     = declare("ACE0322", "Two steps or stops of one name")
	ChainBroken   = declare("ACE0323", "A step that does not take what the one before it returns")
	SinkNotLast   = declare("ACE0324", "A sink that is not the last step")
	NoSteps       = declare("ACE0325", "A pipeline, a slip or a saga that is empty")
	StopApart     = declare("ACE0326", "A stop that no route reaches")
	StopAddress   = declare("ACE0327", "A stop that its address does not reach")
	ExchangeTaken = declare("ACE0328", "An exchange that a pipeline or an ordered queue brings with it")
	KeyFunction   = declare("ACE0329", "An ordered queue with a key that is not a function of its messages")
	OrderedTwice  = declare("ACE0330", "A partition of an ordered queue that is declared by something else")
)

// Sagas.
var (
	SubjectKind = declare("ACE0331", "A saga on a type without a name")
	ActionName  = declare("ACE0332", "An action with a name that makes no method")
	ActionTwice = declare("ACE0333", "Two actions of one name")
)

// Schemas.
var (
	SchemaUnknown    = declare("ACE0601", "A type whose JSON is known to its own code alone")
	SchemaImpossible = declare("ACE0602", "A field that JSON cannot hold")
	SchemaMethod     = declare("ACE0603", "A method that encoding/json does not call")
	SchemaTag        = declare("ACE0604", "A jsonschema tag that cannot be read")
	SchemaBreak      = declare("ACE0605", "A change that breaks a locked message")
	SchemaLock       = declare("ACE0606", "A locked schema that cannot be read")
	SchemaFile       = declare("ACE0607", "Two messages with one schema file")
)

// Generated names.
var (
	NameCollision = declare("ACE0401", "A generated name that is taken")
)

// Warnings.
var (
	PartitionCount = warn("ACE0501", "A number of partitions that is no power of two")
	DurationNumber = warn("ACE0502", "A time.Duration in a message")
	SchemaOrder    = warn("ACE0503", "A change of a locked message that readers and publishers have to follow in order")
	RequestForever = warn("ACE0504", "A request that is tried for ever")
)

// Codes returns every code, sorted.
func Codes() []Code { return slices.Sorted(maps.Keys(kinds)) }

// Title says in a few words what c is about. It is empty for a code that does not exist.
func (c Code) Title() string { return kinds[c].title }

// IsWarning reports whether c is a warning: the code is generated all the same.
func (c Code) IsWarning() bool { return kinds[c].warning }

// Severity is what c is called: "error" or "warning".
func (c Code) Severity() string {
	if c.IsWarning() {
		return "warning"
	}
	return "error"
}
