package acemq

// GeneratedCodeV1 is named by every generated file that was written for this runtime. Where generated code does not
// compile because the constant is undefined, generator and runtime do not fit: update github.com/acemq/acemq-gen in
// go.mod, and run go generate again. It means nothing else.
const GeneratedCodeV1 = true
