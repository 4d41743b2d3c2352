package emit

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/acemq/acemq-gen/gen/model"
)

// The packages that generated code calls.
const (
	contextPath  = "context"
	strconvPath  = "strconv"
	testingPath  = "testing"
	timePath     = "time"
	runtimePath  = "github.com/acemq/acemq-gen/runtime"
	topologyPath = runtimePath + "/topology"
	orderedPath  = runtimePath + "/ordered"
	outboxPath   = runtimePath + "/outbox"
	pipelinePath = runtimePath + "/pipeline"
	replayPath   = runtimePath + "/replay"
	requestPath  = runtimePath + "/request"
	sagaPath     = runtimePath + "/saga"
	schedulePath = runtimePath + "/schedule"
	slipPath     = runtimePath + "/slip"
	testPath     = runtimePath + "/acemqtest"
	wirePath     = runtimePath + "/wire"
)

// own are the packages that generated code calls, in the order in which they get their names, each with the name it
// takes where the user has the first one.
var own = []struct{ path, name, second string }{
	{contextPath, "context", "stdcontext"},
	{strconvPath, "strconv", "stdstrconv"},
	{timePath, "time", "stdtime"},
	{runtimePath, "acemq", "acemqruntime"},
	{topologyPath, "topology", "acemqtopology"},
	{orderedPath, "ordered", "acemqordered"},
	{outboxPath, "outbox", "acemqoutbox"},
	{pipelinePath, "pipeline", "acemqpipeline"},
	{replayPath, "replay", "acemqreplay"},
	{requestPath, "request", "acemqrequest"},
	{sagaPath, "saga", "acemqsaga"},
	{schedulePath, "schedule", "acemqschedule"},
	{slipPath, "slip", "acemqslip"},
	{wirePath, "wire", "acemqwire"},
	{testingPath, "testing", "stdtesting"},
	{testPath, "acemqtest", "acemqtesting"},
}

// locals are the names of receivers and parameters in generated code. No import is called like one of them.
var locals = []string{
	"c", "p", "q", "r", "ctx", "conn", "handler", "answer", "actions", "subject", "steps", "step", "stop", "m", "ms", "d", "due", "t",
	"headers", "opts",
}

// universe are the predeclared names of Go.
var universe = strings.Fields(`any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32
	int64 rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy
	delete imag len make max min new panic print println real recover`)

// alias is the name under which a file imports a package.
type alias struct {
	name     string
	explicit bool // the import says the name
}

// planAliases decides the names of all packages that a flow can need, before anything is printed. The packages that
// generated code calls come first, so that an ordinary file reads `context` and `acemq`; what the user has declared or
// the flow generates in the package is taken.
func planAliases(flow *model.Flow) map[string]alias {
	taken := map[string]bool{}
	for _, names := range [][]string{locals, universe, slices.Collect(maps.Keys(flow.Package.Scope))} {
		for _, name := range names {
			taken[name] = true
		}
	}
	for _, generated := range flow.Generated() {
		taken[generated.Name] = true
	}
	aliases := map[string]alias{}
	claim := func(path, real string, candidates ...string) {
		name := firstFree(taken, candidates)
		taken[name] = true
		aliases[path] = alias{name, name != real || name != assumedName(path)}
	}
	for _, p := range own {
		claim(p.path, p.name, p.name, p.second)
	}
	names := foreignPackages(flow)
	for _, p := range slices.Sorted(maps.Keys(names)) {
		if _, done := aliases[p]; !done {
			name := cmp.Or(names[p], assumedName(p))
			claim(p, names[p], name, identifier(path.Base(path.Dir(p)))+name)
		}
	}
	return aliases
}

// firstFree returns the first candidate that can be the name of an import, or else the last with a number behind it.
func firstFree(taken map[string]bool, candidates []string) string {
	free := func(name string) bool {
		return !taken[name] && token.IsIdentifier(name) && name != "_" && name != "init"
	}
	for _, name := range candidates {
		if free(name) {
			return name
		}
	}
	for i := 2; ; i++ {
		if name := fmt.Sprint(candidates[len(candidates)-1], i); free(name) {
			return name
		}
	}
}

// foreignPackages returns the packages of the types that a flow names by import path, with their names. The name of a package
// that only a type argument names is unknown, and "".
func foreignPackages(flow *model.Flow) map[string]string {
	names := map[string]string{}
	for _, t := range namedTypes(flow) {
		for _, part := range t.Parts() {
			if part.Path != "" {
				names[part.Path] = cmp.Or(names[part.Path], "")
			}
		}
		names[t.Path] = t.Package
	}
	delete(names, flow.Package.Path)
	return names
}

func namedTypes(flow *model.Flow) []model.Type {
	var types []model.Type
	for _, m := range flow.Messages {
		types = append(types, m.Go)
	}
	for _, p := range flow.Publishes {
		types = append(types, p.Message)
	}
	for _, c := range flow.Consumes {
		types = append(types, c.Message)
	}
	for _, d := range flow.Dispatches {
		for _, c := range d.Cases {
			types = append(types, c.Message)
		}
	}
	for _, p := range flow.Pipelines {
		for _, step := range p.Steps {
			types = append(types, step.In.Message)
			if !step.Sink {
				types = append(types, step.Out.Message)
			}
		}
	}
	for _, slip := range flow.Slips {
		types = append(types, slip.Types()...)
	}
	for _, o := range flow.Ordered {
		types = append(types, o.Message, o.Key.Of)
	}
	for _, saga := range flow.Sagas {
		types = append(types, saga.Subject)
	}
	for _, r := range flow.Requests {
		types = append(types, r.Question.Message, r.Answer.Message)
	}
	return types
}

// assumedName returns the name that readers expect of a package with no name in its import: the last element of its
// path that is not a version, up to what cannot stand in a name.
func assumedName(importPath string) string {
	base := path.Base(importPath)
	if version.MatchString(base) && path.Dir(importPath) != "." {
		base = path.Base(path.Dir(importPath))
	}
	base = strings.TrimPrefix(base, "go-")
	if end := strings.IndexFunc(base, notInName); end > 0 {
		base = base[:end]
	}
	return base
}

var version = regexp.MustCompile(`^v[0-9]+$`)

func notInName(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// identifier drops from text what cannot stand in a name.
func identifier(text string) string { return strings.Join(strings.FieldsFunc(text, notInName), "") }
