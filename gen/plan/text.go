package plan

import (
	"fmt"
	"io"
	"strings"

	"github.com/acemq/acemq-gen/gen/jsontext"
)

// WriteJSON writes the plan as a JSON object.
func (p *Plan) WriteJSON(w io.Writer) error {
	return jsontext.Write(w, p)
}

// WriteText writes the plan for people: a line an object, what to do about each conflict below it, and the sum.
func (p *Plan) WriteText(w io.Writer) error {
	var text strings.Builder
	for _, o := range p.Objects {
		fmt.Fprintf(&text, "%-9s %s", o.Action, o.Object)
		if o.Declared != "" {
			fmt.Fprintf(&text, ": %s", o.Declared)
		}
		text.WriteString("\n")
		o.explain(&text)
	}
	fmt.Fprintf(&text, "\n%s at %s, virtual host %s\n", p.sum(), p.Broker, p.VHost)
	if p.Count(Unknown) > 0 {
		text.WriteString("AMQP does not show bindings, so it is unknown whether some are there. Declare binds what is not " +
			"bound, and conflicts\nwith nothing there. To see them, say -management.\n")
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// explain says what a conflict is, and what to do about it.
func (o *Object) explain(text *strings.Builder) {
	if o.Action != Conflict {
		return
	}
	const indent = "          "
	if d := o.Difference; d != nil {
		fmt.Fprintf(text, "%sthe flow declares %s %s, and the broker has %s; it names the first difference alone\n", indent,
			d.Setting, d.Declared, d.Broker)
	} else {
		fmt.Fprintf(text, "%s%s\n", indent, o.Reason)
	}
	for i, step := range o.Steps {
		fmt.Fprintf(text, "%s%d. %s\n", indent, i+1, step)
	}
}

// sum counts the objects: "2 create, 5 keep, 1 conflict".
func (p *Plan) sum() string {
	var counts []string
	for _, action := range actions {
		if n := p.Count(action); n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, action))
		}
	}
	if counts == nil {
		return "nothing to declare"
	}
	return strings.Join(counts, ", ")
}
