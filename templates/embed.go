// Package templates holds the texts that acemq-gen prints, as files to read and to edit.
package templates

import "embed"

// Explain holds a page for each code of gen/diag: explain/ACE0101.md says what the mistake is, shows an example that
// makes it, and how to mend it.
//
//go:embed explain/*.md
var Explain embed.FS

// Docs holds the templates of acemq-gen docs. Users can replace each by one of the same name.
//
//go:embed docs/*.tmpl
var Docs embed.FS

// Init holds the files with which acemq-gen init begins a flow, each with .tmpl behind its name.
//
//go:embed init
var Init embed.FS

// Completion holds the scripts that complete acemq-gen in a shell, each under the name of the shell.
//
//go:embed completion
var Completion embed.FS
