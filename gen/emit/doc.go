package emit

import (
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// docWidth is the column at which doc comments wrap.
const docWidth = 100

// doc is a doc comment. Paragraphs of prose wrap; lists, headings, link targets and code stay as they are.
func doc(paragraphs ...string) *jen.Statement {
	var lines []string
	for _, paragraph := range paragraphs {
		if paragraph == "" {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, "//")
		}
		for _, line := range wrap(paragraph) {
			lines = append(lines, commented(line))
		}
	}
	return jen.Comment(strings.Join(lines, "\n"))
}

// commented puts the slashes in front of a line. A tab takes the place of the blank behind them, as gofmt has it.
func commented(line string) string {
	if strings.HasPrefix(line, "\t") {
		return "//" + line
	}
	return strings.TrimRight("// "+line, " ")
}

// wrap breaks a paragraph of prose into lines that fit behind "// ".
func wrap(paragraph string) []string {
	if !prose(paragraph) {
		return strings.Split(paragraph, "\n")
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(paragraph) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+utf8.RuneCountInString(word)+len("//  ") > docWidth:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// prose reports whether the lines of a paragraph may be joined.
func prose(paragraph string) bool {
	for line := range strings.Lines(paragraph) {
		if strings.ContainsAny(line[:1], " \t#-*+[") || '0' <= line[0] && line[0] <= '9' {
			return false
		}
	}
	return true
}

// opening returns the paragraphs that the doc comment of a declaration gives to what is generated from it: its words,
// with the generated name in place of the variable's where the comment starts with that, or else after a sentence of
// ours.
func opening(variable, api, doc, sentence string) []string {
	doc = strings.TrimSpace(doc)
	rest, named := strings.CutPrefix(doc, variable+" ")
	switch {
	case doc == "":
		return []string{api + " " + sentence}
	case named:
		return strings.Split(api+" "+rest, "\n\n")
	default:
		return append([]string{api + " " + sentence}, strings.Split(doc, "\n\n")...)
	}
}
