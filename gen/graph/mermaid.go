package graph

import (
	"fmt"
	"io"
	"strings"
)

// mermaidShapes are the brackets around the label of a node.
var mermaidShapes = map[Kind][2]string{
	Publisher: {"([", "])"},
	Exchange:  {"{{", "}}"},
	Queue:     {"[(", ")]"},
	Consumer:  {"[", "]"},
	Waiting:   {"[/", "/]"},
	SetAside:  {"[\\", "\\]"},
}

// kindNames name the kinds where a format has classes.
var kindNames = map[Kind]string{
	Publisher: "publisher", Exchange: "exchange", Queue: "queue", Consumer: "consumer", Waiting: "waiting",
	SetAside: "aside",
}

// WriteMermaid writes g as a Mermaid flowchart, without the fence that Markdown puts around it.
func (g *Graph) WriteMermaid(w io.Writer) error {
	var text strings.Builder
	text.WriteString("flowchart LR\n")
	ids := g.shortIDs()
	for _, n := range g.Nodes {
		shape := mermaidShapes[n.Kind]
		fmt.Fprintf(&text, "  %s%s\"%s\"%s:::%s\n", ids[n.ID], shape[0], mermaidLabel(n), shape[1], kindNames[n.Kind])
	}
	for _, e := range g.Edges {
		arrow := "-->"
		if e.Way != Forward {
			arrow = "-.->"
		}
		if e.Label != "" {
			arrow += `|"` + mermaidText(e.Label) + `"|`
		}
		fmt.Fprintf(&text, "  %s %s %s\n", ids[e.From], arrow, ids[e.To])
	}
	for kind := Publisher; kind <= SetAside; kind++ {
		c := colours[kind]
		fmt.Fprintf(&text, "  classDef %s fill:%s,stroke:%s,color:%s\n", kindNames[kind], c.fill, c.line, ink)
	}
	for _, n := range g.Nodes {
		if n.External {
			fmt.Fprintf(&text, "  style %s stroke-dasharray:4 3\n", ids[n.ID])
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// mermaidLabel is the text of a node, lines parted by breaks.
func mermaidLabel(n Node) string {
	lines := []string{"<b>" + mermaidText(n.Title) + "</b>"}
	for _, note := range n.Notes {
		lines = append(lines, mermaidText(note))
	}
	return strings.Join(lines, "<br/>")
}

// mermaidText writes text with the entities of Mermaid, which begin with # where those of HTML have &.
func mermaidText(text string) string {
	return mermaidEntities.Replace(text)
}

var mermaidEntities = strings.NewReplacer(
	"#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", "*", "#42;", "_", "#95;", "\n", " ")

// shortIDs gives each node an ID that every format takes: its kind and a number.
func (g *Graph) shortIDs() map[string]string {
	ids := map[string]string{}
	count := map[Kind]int{}
	for _, n := range g.Nodes {
		count[n.Kind]++
		ids[n.ID] = fmt.Sprintf("%s%d", kindNames[n.Kind], count[n.Kind])
	}
	return ids
}
