package diag

import (
	"fmt"
	"io"
	"strings"

	"github.com/acemq/acemq-gen/gen/jsontext"
	"github.com/acemq/acemq-gen/gen/model"
)

// String renders the mistake as people and editors read it, without a newline at the end. The message of a warning
// starts with "warning: ".
//
//	flow.go:9:40: the queue "bills" is declared twice, with different options [ACE0306]
//		flow.go:5:15: declared here
//		help: give both declarations the same options
func (d Diagnostic) String() string {
	var text strings.Builder
	text.WriteString(place(d.Pos))
	if d.Code.IsWarning() {
		text.WriteString("warning: ")
	}
	fmt.Fprintf(&text, "%s [%s]", d.Message, d.Code)
	for _, r := range d.Related {
		fmt.Fprintf(&text, "\n\t%s%s", place(r.Pos), r.Note)
	}
	if d.Help != "" {
		fmt.Fprintf(&text, "\n\thelp: %s", d.Help)
	}
	return text.String()
}

// place renders what stands before a message: nothing where there is no file.
func place(p model.Pos) string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return p.File + ": "
	}
	return p.String() + ": "
}

// WriteText writes the list to w, a mistake a paragraph.
func (l List) WriteText(w io.Writer) error {
	for _, d := range l {
		if _, err := fmt.Fprintln(w, d); err != nil {
			return err
		}
	}
	return nil
}

// jsonDiagnostic and jsonRelated fix the names that other programs read.
type jsonDiagnostic struct {
	Code     Code          `json:"code"`
	Severity string        `json:"severity"`
	Title    string        `json:"title"`
	File     string        `json:"file"`
	Line     int           `json:"line"`
	Column   int           `json:"column"`
	Message  string        `json:"message"`
	Help     string        `json:"help,omitempty"`
	Related  []jsonRelated `json:"related,omitempty"`
}

type jsonRelated struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Note   string `json:"note"`
}

// WriteJSON writes the list to w as one JSON array, [] where it is empty.
func (l List) WriteJSON(w io.Writer) error {
	all := make([]jsonDiagnostic, 0, len(l))
	for _, d := range l {
		out := jsonDiagnostic{
			d.Code, d.Code.Severity(), d.Code.Title(), d.Pos.File, d.Pos.Line, d.Pos.Column, d.Message, d.Help, nil,
		}
		for _, r := range d.Related {
			out.Related = append(out.Related, jsonRelated{r.Pos.File, r.Pos.Line, r.Pos.Column, r.Note})
		}
		all = append(all, out)
	}
	return jsontext.Write(w, all)
}
