package compat

import (
	"slices"

	"github.com/invopop/jsonschema"
)

// objects compares the members of objects.
func (c *comparer) objects(old, today *jsonschema.Schema, path string) {
	for name, was := range members(old) {
		is, stays := member(today, name)
		if !stays {
			c.removed(old, today, name, path)
			continue
		}
		at := path + "/" + name
		before, after := slices.Contains(old.Required, name), slices.Contains(today.Required, name)
		if before != after {
			c.add(choose(after, madeRequired, madeOptional), at, "")
		}
		c.schemas(was, is, at)
	}
	for name := range members(today) {
		if _, there := member(old, name); !there {
			c.added(old, today, name, path)
		}
	}
	c.others(old, today, path)
}

// removed adds the change that a member is gone.
func (c *comparer) removed(old, today *jsonschema.Schema, name, path string) {
	rule := optionalRemoved
	switch {
	case slices.Contains(old.Required, name):
		rule = requiredRemoved
	case isClosed(today):
		rule = optionalRemovedFromClosed
	}
	c.add(rule, path+"/"+name, "")
}

// added adds the change that a member came.
func (c *comparer) added(old, today *jsonschema.Schema, name, path string) {
	required := slices.Contains(today.Required, name)
	rule := choose(required, requiredAdded, optionalAdded)
	if isClosed(old) {
		rule = choose(required, requiredAddedToClosed, optionalAddedToClosed)
	}
	c.add(rule, path+"/"+name, "")
}

// others compares what is said of the members that have no name: those of a map, and whether there may be any.
func (c *comparer) others(old, today *jsonschema.Schema, path string) {
	switch {
	case isClosed(old) && isClosed(today):
	case isClosed(today):
		c.add(objectClosed, path, "")
	case isClosed(old):
		c.add(objectOpened, path, "")
	case old.AdditionalProperties != nil || today.AdditionalProperties != nil:
		c.schemas(orAny(old.AdditionalProperties), orAny(today.AdditionalProperties), path+"/*")
	}
}

func isClosed(s *jsonschema.Schema) bool {
	return s.AdditionalProperties != nil && sameJSON(s.AdditionalProperties, jsonschema.FalseSchema)
}

// members yields the named members of an object, in their order.
func members(s *jsonschema.Schema) func(yield func(string, *jsonschema.Schema) bool) {
	return func(yield func(string, *jsonschema.Schema) bool) {
		if s.Properties == nil {
			return
		}
		for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
			if !yield(pair.Key, pair.Value) {
				return
			}
		}
	}
}

func member(s *jsonschema.Schema, name string) (*jsonschema.Schema, bool) {
	if s.Properties == nil {
		return nil, false
	}
	return s.Properties.Get(name)
}
