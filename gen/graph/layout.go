package graph

import "slices"

// The layout is layered, from left to right (Sugiyama): each node gets a rank, long edges bend at every rank between,
// the boxes of a rank are ordered so that few edges cross, and then moved up or down towards what they are connected
// to.

// box is a node in the picture, or the bend of an edge.
type box struct {
	node  *Node // nil for a bend
	lines []string
	rank  int
	x, y  float64 // the corner at the top left
	w, h  float64
	in    []*link
	out   []*link
	below *box // the queues in which messages of this queue wait
}

// link is a piece of an edge between neighbouring ranks. The ends are where it touches its boxes.
type link struct {
	edge     *Edge
	from, to *box
	y1, y2   float64
	last     bool // the piece that ends at the node
}

// picture is a graph that is laid out.
type picture struct {
	ranks [][]*box
	links []*link
	w, h  float64
}

// The measures of a picture, in pixels.
const (
	margin     = 24.0
	gap        = 14.0 // between boxes of a rank
	hang       = 24.0 // between a queue and its rungs
	portSpace  = 17.0 // between lines at one side of a box
	bendHeight = 10.0
	curveRoom  = 64.0 // between ranks, labels apart
)

// layOut places the nodes and edges of g.
func layOut(g *Graph) *picture {
	p := &picture{}
	boxes := p.boxes(g)
	p.connect(g, boxes)
	p.order()
	p.size()
	p.rows()
	p.columns()
	p.ports()
	return p
}

// boxes makes a box for each node and puts it into its rank. The queues of retries hang below their queue.
func (p *picture) boxes(g *Graph) map[string]*box {
	boxes := map[string]*box{}
	ranks := g.ranks()
	for i := range g.Nodes {
		n := &g.Nodes[i]
		b := &box{node: n, rank: ranks[n.ID]}
		b.measure()
		boxes[n.ID] = b
	}
	for _, e := range g.Edges {
		if boxes[e.To].node.Kind == Waiting {
			boxes[e.From].below = boxes[e.To]
		}
	}
	for i := range g.Nodes {
		if b := boxes[g.Nodes[i].ID]; b.node.Kind != Waiting {
			p.put(b)
		}
	}
	return boxes
}

func (p *picture) put(b *box) {
	for len(p.ranks) <= b.rank {
		p.ranks = append(p.ranks, nil)
	}
	p.ranks[b.rank] = append(p.ranks[b.rank], b)
}

// connect makes the links, with a bend in each rank that an edge passes. Edges that do not lead to the right are those
// of a circle; they bend nowhere.
func (p *picture) connect(g *Graph, boxes map[string]*box) {
	for i := range g.Edges {
		e := &g.Edges[i]
		from, to := boxes[e.From], boxes[e.To]
		if from.node.Kind == Waiting || to.node.Kind == Waiting {
			continue
		}
		for rank := from.rank + 1; rank < to.rank; rank++ {
			bend := &box{rank: rank, h: bendHeight}
			p.put(bend)
			p.link(&link{edge: e, from: from, to: bend})
			from = bend
		}
		p.link(&link{edge: e, from: from, to: to, last: true})
	}
}

func (p *picture) link(l *link) {
	p.links = append(p.links, l)
	l.from.out = append(l.from.out, l)
	l.to.in = append(l.to.in, l)
}

// leastRanks keep publishers, exchanges, queues and consumers in columns of their own.
var leastRanks = map[Kind]int{Publisher: 0, Exchange: 1, Queue: 2, Consumer: 3, SetAside: 3, Waiting: 2}

// ranks returns the rank of each node: one more than the highest of those that lead to it.
func (g *Graph) ranks() map[string]int {
	ranks := map[string]int{}
	for _, n := range g.Nodes {
		ranks[n.ID] = leastRanks[n.Kind]
	}
	next := map[string][]string{}
	for _, e := range g.Edges {
		if e.Way != Home {
			next[e.From] = append(next[e.From], e.To)
		}
	}
	sorted := g.sorted(next)
	place := map[string]int{}
	for i, id := range sorted {
		place[id] = i
	}
	for i, id := range slices.Backward(sorted) {
		for _, to := range next[id] {
			if place[to] < i { // not an edge that closes a circle
				ranks[to] = max(ranks[to], ranks[id]+1)
			}
		}
	}
	return ranks
}

// sorted returns the nodes so that each comes behind those it leads to, as far as there are no circles.
func (g *Graph) sorted(next map[string][]string) []string {
	var sorted []string
	seen := map[string]bool{}
	var visit func(string)
	visit = func(id string) {
		if seen[id] {
			return
		}
		seen[id] = true
		for _, to := range next[id] {
			visit(to)
		}
		sorted = append(sorted, id)
	}
	for _, n := range g.Nodes {
		visit(n.ID)
	}
	return sorted
}
