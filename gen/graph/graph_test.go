package graph

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/gen/outline"
)

// large is a flow of 60 queues on 4 exchanges.
func large() *model.Flow {
	f := &model.Flow{Package: model.Package{Name: "shop", Path: "example.com/shop"}}
	at := func(line int) model.Pos { return model.Pos{File: "flow.go", Line: line, Column: 5} }
	for i := range 4 {
		f.Exchanges = append(f.Exchanges, model.Exchange{
			Decl: model.Decl{Name: fmt.Sprintf("Events%d", i), Pos: at(i)}, Broker: fmt.Sprintf("events-%d", i), Kind: "topic",
		})
	}
	for i := range 24 {
		f.Publishes = append(f.Publishes, model.Publish{
			Decl:     model.Decl{Name: fmt.Sprintf("Happened%d", i), Pos: at(100 + i)},
			Message:  model.Type{Path: "example.com/shop", Package: "shop", Name: fmt.Sprintf("Event%d", i)},
			Exchange: model.Ref{Name: fmt.Sprintf("Events%d", i%4)},
			Key:      fmt.Sprintf("shop.event%d.{Region}", i),
		})
	}
	for i := range 60 {
		q := model.Queue{Broker: fmt.Sprintf("service-%d.events-of-interest", i)}
		for _, exchange := range []int{i % 4, i * 7 % 4} {
			q.Bindings = append(q.Bindings, model.Binding{
				Exchange: model.Ref{Name: fmt.Sprintf("Events%d", exchange)}, Keys: []string{fmt.Sprintf("shop.event%d.*", i%24)},
			})
		}
		if i%3 == 0 {
			q.Retry = &model.Retry{Constructor: "Exponential", Attempts: 6, Initial: 10 * time.Second, Limit: time.Minute}
		}
		f.Consumes = append(f.Consumes, model.Consume{
			Decl:    model.Decl{Name: fmt.Sprintf("Service%d", i), Pos: at(200 + i)},
			Message: f.Publishes[i%24].Message, Queue: q,
		})
	}
	return f
}

func TestBoxesAreApart(t *testing.T) {
	p := layOut(Of(outline.Of(large())))
	var boxes []*box
	for _, rank := range p.ranks {
		for _, b := range rank {
			boxes = append(boxes, b)
			if b.below != nil {
				boxes = append(boxes, b.below)
			}
		}
	}
	if len(boxes) < 24+4+60+20+60+60 {
		t.Fatalf("%d boxes", len(boxes))
	}
	for i, a := range boxes {
		if a.x < 0 || a.y < 0 || a.x+a.w > p.w || a.y+a.h > p.h {
			t.Errorf("%q is outside of the picture", title(a))
		}
		for _, b := range boxes[:i] {
			if a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h {
				t.Errorf("%q and %q overlap", title(a), title(b))
			}
		}
	}
}

func TestLinesEndAtTheirBoxes(t *testing.T) {
	p := layOut(Of(outline.Of(large())))
	ends := map[string]bool{}
	for _, l := range p.links {
		if l.to.rank != l.from.rank+1 {
			t.Errorf("a line of %q leads from rank %d to %d", l.edge.Label, l.from.rank, l.to.rank)
		}
		if l.y1 < l.from.y || l.y1 > l.from.y+l.from.h || l.y2 < l.to.y || l.y2 > l.to.y+l.to.h {
			t.Errorf("the line from %q to %q misses them", title(l.from), title(l.to))
		}
		if label := l.labelWidth(); label > 0 && l.to.x-label < l.from.x+l.from.w {
			t.Errorf("the label %q has no room", l.edge.Label)
		}
		end := fmt.Sprint(l.to.x, " ", l.y2)
		if l.last && ends[end] {
			t.Errorf("two lines end at %s of %q", end, title(l.to))
		}
		ends[end] = true
	}
}

func title(b *box) string {
	if b.node == nil {
		return "a bend"
	}
	return b.node.Title
}

// circle is a graph whose edges lead round.
func circle() *Graph {
	return &Graph{
		Nodes: []Node{{ID: "a", Kind: Queue, Title: "a"}, {ID: "b", Kind: Consumer, Title: "b"}},
		Edges: []Edge{{From: "a", To: "b"}, {From: "b", To: "a"}, {From: "a", To: "a"}},
	}
}

func TestPicturesAreWellFormed(t *testing.T) {
	odd := Graph{Nodes: []Node{{ID: `"<&>\`, Kind: Queue, Title: "a<b>&\"c\x01\\n", Notes: []string{"]]>", ""}}}}
	for name, g := range map[string]*Graph{"large": Of(outline.Of(large())), "none": {}, "circle": circle(), "odd": &odd} {
		t.Run(name, func(t *testing.T) {
			var svg bytes.Buffer
			if err := g.WriteSVG(&svg); err != nil {
				t.Fatal(err)
			}
			texts := 0
			for d := xml.NewDecoder(&svg); ; {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if start, is := token.(xml.StartElement); is && start.Name.Local == "text" {
					texts++
				}
			}
			if texts < len(g.Nodes) {
				t.Errorf("%d texts for %d nodes", texts, len(g.Nodes))
			}
		})
	}
}

func TestDocumentsAreTheSameEachTime(t *testing.T) {
	for name, write := range map[string]func(*Graph, io.Writer) error{
		"mermaid": (*Graph).WriteMermaid, "dot": (*Graph).WriteDOT, "svg": (*Graph).WriteSVG,
	} {
		var first bytes.Buffer
		for range 3 {
			var text bytes.Buffer
			if err := write(Of(outline.Of(large())), &text); err != nil {
				t.Fatal(err)
			}
			if first.Len() == 0 {
				first = text
			} else if !bytes.Equal(first.Bytes(), text.Bytes()) {
				t.Errorf("%s differs from run to run", name)
			}
		}
	}
}

func TestTextsAreEscaped(t *testing.T) {
	g := &Graph{
		Nodes: []Node{{ID: `queue:"a"`, Kind: Queue, Title: `a"b`}, {ID: "end", Kind: Exchange, Title: "e\nf"}},
		Edges: []Edge{{From: "end", To: `queue:"a"`, Label: `order.#, *.x|"`, Way: Failing}},
	}
	tests := map[string]struct {
		write func(*Graph, io.Writer) error
		want  []string
	}{
		"mermaid": {(*Graph).WriteMermaid, []string{
			`queue1[("<b>a#quot;b</b>")]`, `exchange1 -.->|"order.#35;, #42;.x|#quot;"| queue1`, "<b>e f</b>"}},
		"dot": {(*Graph).WriteDOT, []string{`"queue:\"a\"" [label="a\"b"`, `label="order.#, *.x|\""`, `label="e\nf"`}},
		"svg": {(*Graph).WriteSVG, []string{`>a&#34;b</text>`, `>order.#, *.x|&#34;</text>`}},
	}
	for name, test := range tests {
		var text strings.Builder
		if err := test.write(g, &text); err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s lacks %s:\n%s", name, want, &text)
			}
		}
	}
}
