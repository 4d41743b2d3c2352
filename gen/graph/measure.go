package graph

import "strings"

// The letters of a picture are all of one width, so that their room is known without the font.
const (
	titleSize  = 12.0
	noteSize   = 11.0
	lineHeight = 15.0
	padding    = 10.0
	wide       = 0.61 // the width of a letter by its size
	noteWidth  = 44   // letters in a line of a note
)

// measure sets the lines and the size of a box by what is written in it.
func (b *box) measure() {
	for _, note := range b.node.Notes {
		b.lines = append(b.lines, wrap(note)...)
	}
	b.w = textWidth(b.node.Title, titleSize)
	for _, note := range b.lines {
		b.w = max(b.w, textWidth(note, noteSize))
	}
	b.w += 2 * padding
	b.h = float64(1+len(b.lines))*lineHeight + padding
}

// textWidth returns the room that a line of text needs.
func textWidth(text string, size float64) float64 {
	letters := 0
	for _, r := range text {
		letters++
		if r >= 0x1100 && (r < 0x2000 || r > 0x2fff) { // the scripts of East Asia are twice as wide
			letters++
		}
	}
	return float64(letters) * size * wide
}

// labelWidth returns the room that the label of a link needs before its box.
func (l *link) labelWidth() float64 {
	if !l.last || l.edge.Label == "" {
		return 0
	}
	return textWidth(l.edge.Label, noteSize) + padding
}

// wrap breaks a note into lines.
func wrap(note string) []string {
	var lines []string
	current := ""
	for _, word := range strings.Fields(note) {
		switch {
		case current == "":
			current = word
		case len(current)+1+len(word) > noteWidth:
			lines = append(lines, current)
			current = word
		default:
			current += " " + word
		}
	}
	return append(lines, current)
}
