package graph

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
)

// WriteSVG writes g as a picture that needs no other file.
func (g *Graph) WriteSVG(w io.Writer) error {
	p := layOut(g)
	d := &drawing{}
	width := max(p.w, legendWidth)
	height := p.h + legendHeight
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+"\n",
		width, height, width, height)
	d.printf("%s", svgHead)
	d.printf(`<rect width="%.0f" height="%.0f" fill="%s"/>`+"\n", width, height, paper)
	for _, l := range p.links {
		d.link(l)
	}
	for _, l := range p.links {
		d.label(l)
	}
	for _, rank := range p.ranks {
		for _, b := range rank {
			d.box(b)
		}
	}
	d.legend(p.h)
	d.printf("</svg>\n")
	_, err := w.Write(d.Bytes())
	return err
}

const svgHead = `<style>
text { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: ` + faint + `; }
.title { font-size: 12px; font-weight: bold; fill: ` + ink + `; }
.label { paint-order: stroke; stroke: ` + paper + `; stroke-width: 4px; text-anchor: end; }
.way { fill: none; stroke: ` + line + `; stroke-width: 1.3; }
.failing { stroke: ` + failure + `; stroke-dasharray: 5 3; }
</style>
<defs>
<marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 L8 4 L0 8 z" fill="` + line + `"/></marker>
<marker id="failed" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 L8 4 L0 8 z" fill="` + failure + `"/></marker>
</defs>
`

// drawing is SVG in the making.
type drawing struct{ bytes.Buffer }

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(&d.Buffer, format, args...) }

// text draws a line of text.
func (d *drawing) text(class string, x, y float64, text string) {
	d.printf(`<text class="%s" x="%.1f" y="%.1f">`, class, x, y)
	_ = xml.EscapeText(&d.Buffer, []byte(text)) // a buffer takes everything
	d.printf("</text>\n")
}

// way draws a path. The last piece of an edge has a head.
func (d *drawing) way(w Way, head bool, path string, args ...any) {
	class, marker := "way", "arrow"
	if w != Forward {
		class, marker = "way failing", "failed"
	}
	end := ""
	if head {
		end = fmt.Sprintf(` marker-end="url(#%s)"`, marker)
	}
	d.printf(`<path class="%s" d="%s"%s/>`+"\n", class, fmt.Sprintf(path, args...), end)
}

// link draws a piece of an edge: a curve, then straight on below its label and through a bend.
func (d *drawing) link(l *link) {
	x1, x2 := l.from.x+l.from.w, l.to.x
	curve := x2 - l.labelWidth()
	bow := (curve - x1) / 2
	d.way(l.edge.Way, l.last, "M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f L%.1f %.1f",
		x1, l.y1, x1+bow, l.y1, curve-bow, l.y2, curve, l.y2, x2, l.y2)
	if !l.last {
		d.way(l.edge.Way, false, "M%.1f %.1f L%.1f %.1f", x2, l.y2, x2+l.to.w, l.y2)
	}
}

func (d *drawing) label(l *link) {
	if l.last && l.edge.Label != "" {
		d.text("label", l.to.x-padding, l.y2-4, l.edge.Label)
	}
}

// corners are the radii of the boxes of a kind.
var corners = map[Kind]float64{Publisher: 16, Exchange: 2, Queue: 2, Consumer: 6, Waiting: 2, SetAside: 2}

// box draws a node and what hangs below it.
func (d *drawing) box(b *box) {
	if b.node == nil {
		return
	}
	c := colours[b.node.Kind]
	dashes := ""
	if b.node.External {
		dashes = ` stroke-dasharray="4 3"`
	}
	d.printf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.0f" fill="%s" stroke="%s"%s/>`+"\n",
		b.x, b.y, b.w, b.h, corners[b.node.Kind], c.fill, c.line, dashes)
	if b.node.Kind == Queue {
		d.printf(`<path d="M%.1f %.1f v%.1f" stroke="%s" stroke-width="4"/>`+"\n", b.x+2, b.y, b.h, c.line)
	}
	top := b.middle() - float64(1+len(b.lines))*lineHeight/2 + titleSize
	d.text("title", b.x+padding, top, b.node.Title)
	for i, note := range b.lines {
		d.text("note", b.x+padding, top+float64(i+1)*lineHeight, note)
	}
	if b.below == nil {
		return
	}
	width := min(b.w, b.below.w)
	there, back := b.x+width/3, b.x+width*2/3
	d.way(Failing, true, "M%.1f %.1f L%.1f %.1f", there, b.y+b.h, there, b.below.y)
	d.way(Home, true, "M%.1f %.1f L%.1f %.1f", back, b.below.y, back, b.y+b.h)
	d.box(b.below)
}

// legend explains the colours.
func (d *drawing) legend(y float64) {
	x := margin
	for _, entry := range legend {
		c := colours[entry.kind]
		d.printf(`<rect x="%.1f" y="%.1f" width="14" height="10" fill="%s" stroke="%s"/>`+"\n", x, y-9, c.fill, c.line)
		d.text("note", x+20, y, entry.text)
		x += 20 + textWidth(entry.text, noteSize) + 2*padding
	}
	d.way(Failing, true, "M%.1f %.1f L%.1f %.1f", x, y-4, x+30, y-4)
	d.text("note", x+38, y, "what failed")
}

var legend = []struct {
	kind Kind
	text string
}{
	{Publisher, "publisher"}, {Exchange, "exchange"}, {Queue, "queue"}, {Consumer, "consumer"},
	{Waiting, "waits for a retry"}, {SetAside, "dead letters, parked"},
}

// The room of the legend.
const (
	legendHeight = 20.0
	legendWidth  = 860.0
)
