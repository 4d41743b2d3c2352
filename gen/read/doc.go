// Package read makes a flow of a package's source: of the markers on its message types and of its calls of
// runtime/flow. What it cannot read is an error at its place; whether the flow makes sense is for gen/check.
//
// # Markers
//
// A marker is a comment line of its own, without a blank after the slashes, directly above a package-level struct type:
//
//	//acemq:message type=order.placed version=2
//
//	marker   = "//acemq:" name { blank argument }
//	argument = key "=" value
//	value    = word | Go string in double quotes
//	word     = characters other than blanks, quotes and any of "=,;"
//
// The only marker is message. Its keys:
//
//	type     the logical type on the wire, at most 255 bytes; by default the struct's name in dotted lower case
//	version  the version of the payload, from 1; by default 1
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
