package graph

// colour is how the nodes of a kind look.
type colour struct{ fill, line string }

// colours are those of the kinds, in every format.
var colours = map[Kind]colour{
	Publisher: {"#e3f1e4", "#4d8b55"},
	Exchange:  {"#fdeecd", "#b58220"},
	Queue:     {"#dfeafc", "#3f6fb5"},
	Consumer:  {"#ece4f7", "#7a57ad"},
	Waiting:   {"#f3f3f3", "#8a8a8a"},
	SetAside:  {"#fae3e1", "#b5504a"},
}

// The colours of text and lines.
const (
	ink     = "#1f2328"
	faint   = "#57606a"
	line    = "#57606a"
	failure = "#b5504a"
	paper   = "#ffffff"
)
