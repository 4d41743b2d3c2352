package graph

import (
	"fmt"
	"io"
	"strings"
)

// dotShapes are the shapes of the kinds.
var dotShapes = map[Kind]string{
	Publisher: "oval", Exchange: "hexagon", Queue: "cylinder", Consumer: "box", Waiting: "note", SetAside: "note",
}

// WriteDOT writes g in the language of Graphviz.
func (g *Graph) WriteDOT(w io.Writer) error {
	var text strings.Builder
	text.WriteString("digraph flow {\n")
	text.WriteString("  rankdir=LR;\n")
	fmt.Fprintf(&text, "  node [fontname=\"Helvetica\", fontsize=11, style=filled, fontcolor=%q];\n", ink)
	fmt.Fprintf(&text, "  edge [fontname=\"Helvetica\", fontsize=10, color=%q, fontcolor=%q];\n", line, faint)
	for _, n := range g.Nodes {
		c := colours[n.Kind]
		more := ""
		if n.External {
			more = ", style=\"filled,dashed\""
		}
		fmt.Fprintf(&text, "  %s [label=%s, shape=%s, fillcolor=%q, color=%q%s];\n",
			dotQuoted(n.ID), dotLabel(n), dotShapes[n.Kind], c.fill, c.line, more)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&text, "  %s -> %s%s;\n", dotQuoted(e.From), dotQuoted(e.To), dotEdge(e))
	}
	text.WriteString("}\n")
	_, err := io.WriteString(w, text.String())
	return err
}

// dotEdge are the attributes of an edge.
func dotEdge(e Edge) string {
	var attributes []string
	if e.Label != "" {
		attributes = append(attributes, "label="+dotQuoted(e.Label))
	}
	if e.Way != Forward {
		attributes = append(attributes, "style=dashed", fmt.Sprintf("color=%q", failure))
	}
	if e.Way == Home {
		attributes = append(attributes, "constraint=false")
	}
	if len(attributes) == 0 {
		return ""
	}
	return " [" + strings.Join(attributes, ", ") + "]"
}

// dotLabel is the text of a node, a line each.
func dotLabel(n Node) string {
	return dotQuoted(strings.Join(append([]string{n.Title}, n.Notes...), "\n"))
}

// dotQuoted writes a string of DOT, in which a line break is \n.
func dotQuoted(text string) string {
	return `"` + dotEscapes.Replace(text) + `"`
}

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
