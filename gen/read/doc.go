// Package read makes a flow of a package's source: of the markers on its message types and of its calls of
// runtime/flow. What it cannot read is an error at its place; whether the flow makes sense is for gen/check.
//
// # Markers
//
// Package gen/marker has their grammar. The marker message stands directly above a package-level struct type. Its keys:
//
//	type     the logical type on the wire, at most 255 bytes; by default the struct's name in dotted lower case
//	version  the version of the payload, from 1; by default 1
//
// The markers schema and closed stand above any type and say what gen/schema cannot know: how a type that writes its own
// JSON looks, and that a struct gets no further members. The marker package stands above the package clause: with
// schemas=off the flow of the package has no schemas.
//
// Every comment that means to be a marker and is none is an error.
//
// # Declarations
//
// A declaration is a call of runtime/flow that is the value of a package-level variable. Its arguments are constants of
// any package, other declared variables, message types, and options that are calls themselves. Functions are known by
// what they resolve to, so that the import may have any name. Everything is read even where the package does not
// compile; what does not compile inside a declaration is an error.
package read
