package gen

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/acemq/acemq-gen/gen/compat"
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/emit"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/gen/schema"
	"github.com/acemq/acemq-gen/gen/write"
)

// Where schemas and samples are, beside flow.go. A schema that is committed is a lock: what it says of a version holds.
const (
	schemaDir = "schemas"
	sampleDir = "testdata/wire"
)

// Evolution is what changed in a locked message.
type Evolution struct {
	Path    string // of the file of the schema
	Changes []compat.Change
}

// Changed returns what changed in the message whose schema is in a file, nil for any other file.
func (r *Result) Changed(path string) []compat.Change {
	for _, e := range r.Evolution {
		if e.Path == path {
			return e.Changes
		}
	}
	return nil
}

// locks compares the schemas of a flow with the locked ones.
type locks struct {
	dir  string // of the flow's package
	root string // what positions are relative to
}

// compare returns what changed, and what of it is not allowed without a new version or has an order.
func (l locks) compare(documents []schema.Document) ([]Evolution, diag.List) {
	var all []Evolution
	var list diag.List
	for _, d := range documents {
		path := filepath.Join(l.dir, schemaDir, schema.FileName(d.Message.Type, d.Message.Version))
		locked, err := readSchema(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			list.Add(l.about(diag.SchemaLock, d, path, "take it from version control, or delete it to lock the message anew",
				fmt.Sprintf("the schema of %s, version %d, cannot be read: %v", d.Message.Type, d.Message.Version, err)))
			continue
		}
		changes := compat.Compare(locked, d.Schema)
		if len(changes) > 0 {
			all = append(all, Evolution{path, changes})
		}
		for _, change := range changes {
			if change.Rule.Verdict != compat.Safe {
				list.Add(l.judge(d, path, change))
			}
		}
	}
	return all, list
}

// judge says what a change that is not safe asks for.
func (l locks) judge(d schema.Document, path string, change compat.Change) diag.Diagnostic {
	message := fmt.Sprintf("%s, version %d, changes: %s", d.Message.Type, d.Message.Version, change)
	switch change.Rule.Verdict {
	case compat.OldReaders:
		return l.about(diag.SchemaOrder, d, path,
			"publishers may go first; a reader of the changed type has to live with old messages, or wait until none is left", message)
	case compat.NewReaders:
		return l.about(diag.SchemaOrder, d, path, "update every reader before the first publisher", message)
	}
	return l.about(diag.SchemaBreak, d, path, fmt.Sprintf(
		"take the change back, or give the type a new version: version=%d; where version %d was never released, delete its "+
			"files in %s and %s", d.Message.Version+1, d.Message.Version, schemaDir, sampleDir), message)
}

func (l locks) about(code diag.Code, d schema.Document, path, help, message string) diag.Diagnostic {
	out := diag.Diagnostic{Code: code, Pos: d.Message.Pos, Message: message, Help: help}
	if rel, err := filepath.Rel(l.root, path); err == nil {
		path = rel
	}
	out.Relate(model.Pos{File: filepath.ToSlash(path)}, "locked here")
	return out
}

func readSchema(path string) (*jsonschema.Schema, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &jsonschema.Schema{}
	return s, json.Unmarshal(text, s)
}

// clashes finds messages whose schemas would share a file, where a file system takes capitals for small letters.
func clashes(documents []schema.Document) diag.List {
	var list diag.List
	first := map[string]model.Message{}
	for _, d := range documents {
		name := strings.ToLower(schema.FileName(d.Message.Type, d.Message.Version))
		other, taken := first[name]
		if !taken {
			first[name] = d.Message
		}
		if !taken || other.Type == d.Message.Type { // of one type and version: that is another mistake
			continue
		}
		mistake := diag.Diagnostic{
			Code: diag.SchemaFile, Pos: d.Message.Pos, Help: "give one of them another type",
			Message: fmt.Sprintf("the types %s and %s differ in capitals alone: some systems keep one file for both schemas",
				d.Message.Type, other.Type),
		}
		mistake.Relate(other.Pos, cmp.Or(other.Go.Name, other.Type)+" is marked here")
		list.Add(mistake)
	}
	return list
}

// documentsPlan compares schemas and samples with what is on disk. A sample is written once.
func documentsPlan(dir string, documents []schema.Document) (write.Plan, error) {
	var schemas, samples []emit.File
	for _, d := range documents {
		schemas = append(schemas, emit.File{
			Name: schemaDir + "/" + schema.FileName(d.Message.Type, d.Message.Version), Content: d.Content,
		})
		samples = append(samples, emit.File{
			Name: sampleDir + "/" + schema.SampleName(d.Message.Type, d.Message.Version), Content: d.Sample,
		})
	}
	plan, err := write.Documents(dir, schemas)
	if err != nil {
		return nil, err
	}
	once, err := write.Once(dir, samples)
	return append(plan, once...), err
}
