package document

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/acemq/acemq-gen/gen/outline"
)

// functions are what templates can call besides the methods of their data.
var functions = template.FuncMap{
	"code":    code,
	"codes":   codes,
	"cell":    cell,
	"message": message,
	"opening": opening,
	"row":     row,
	"senders": senders,
}

// opening returns the first paragraph of a doc comment, in one line.
func opening(doc string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(doc), "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

// row writes names that are counted up, as those of partitions are: the first and the last of many.
func row(names []string) string {
	if len(names) <= 3 {
		return codes(names)
	}
	return code(names[0]) + " to " + code(names[len(names)-1])
}

// senders names who sends a message: its publishers, and the steps that return it.
func senders(page *Page, m outline.Message) []string {
	var names []string
	for _, p := range page.Senders(m) {
		names = append(names, p.Name)
	}
	for _, t := range page.Returning(m) {
		names = append(names, t.Title)
	}
	return names
}

// code writes text as code of Markdown that may stand in a table: `order.#`. Nothing is nothing.
func code(text string) string {
	if text == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + cell(text) + " " + fence
	}
	return fence + cell(text) + fence
}

// codes writes each text as code, with commas between.
func codes(texts []string) string {
	words := make([]string, len(texts))
	for i, text := range texts {
		words[i] = code(text)
	}
	return strings.Join(words, ", ")
}

// cell writes text so that it can stand in a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// message names a message as both sides know it: `OrderPlaced` (order.placed v1).
func message(m outline.Message) string {
	if m.Type == "" {
		return code(m.Go)
	}
	return fmt.Sprintf("%s (%s v%d)", code(m.Go), cell(m.Type), m.Version)
}
