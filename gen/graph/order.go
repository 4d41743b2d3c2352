package graph

import (
	"cmp"
	"slices"
)

// sweeps is how often the order of the ranks is improved from each side.
const sweeps = 8

// order sorts the boxes of each rank so that few edges cross: by the mean place of what they are connected to, from the
// left and from the right in turn, and keeps the best.
func (p *picture) order() {
	p.firstOrder()
	best, crossings := p.snapshot(), p.crossings()
	for range sweeps {
		for rank := 1; rank < len(p.ranks); rank++ {
			p.sortRank(rank, before)
		}
		for rank := len(p.ranks) - 2; rank >= 0; rank-- {
			p.sortRank(rank, behind)
		}
		if c := p.crossings(); c < crossings {
			best, crossings = p.snapshot(), c
		}
	}
	p.ranks = best
}

func (p *picture) snapshot() [][]*box {
	ranks := make([][]*box, len(p.ranks))
	for i := range ranks {
		ranks[i] = slices.Clone(p.ranks[i])
	}
	return ranks
}

// firstOrder puts the boxes of each rank into the order in which a walk along the edges meets them.
func (p *picture) firstOrder() {
	met := make([][]*box, len(p.ranks))
	seen := map[*box]bool{}
	var walk func(*box)
	walk = func(b *box) {
		if seen[b] {
			return
		}
		seen[b] = true
		met[b.rank] = append(met[b.rank], b)
		for _, l := range b.out {
			walk(l.to)
		}
	}
	for _, rank := range p.ranks {
		for _, b := range rank {
			walk(b)
		}
	}
	p.ranks = met
}

// before and behind return the boxes that a box is connected to on one side.
func before(b *box) []*box {
	var boxes []*box
	for _, l := range b.in {
		boxes = append(boxes, l.from)
	}
	return boxes
}

func behind(b *box) []*box {
	var boxes []*box
	for _, l := range b.out {
		boxes = append(boxes, l.to)
	}
	return boxes
}

// sortRank sorts a rank by the mean place of the neighbours. A box without any keeps its place.
func (p *picture) sortRank(rank int, neighbours func(*box) []*box) {
	place := p.places()
	mean := map[*box]float64{}
	for i, b := range p.ranks[rank] {
		mean[b] = float64(i)
		boxes := neighbours(b)
		if len(boxes) == 0 {
			continue
		}
		sum := 0
		for _, n := range boxes {
			sum += place[n]
		}
		mean[b] = float64(sum) / float64(len(boxes))
	}
	slices.SortStableFunc(p.ranks[rank], func(a, b *box) int { return cmp.Compare(mean[a], mean[b]) })
}

// places returns the index of each box in its rank.
func (p *picture) places() map[*box]int {
	place := map[*box]int{}
	for _, rank := range p.ranks {
		for i, b := range rank {
			place[b] = i
		}
	}
	return place
}

// crossings counts the pairs of links that cross.
func (p *picture) crossings() int {
	place := p.places()
	between := make([][]*link, len(p.ranks))
	for _, l := range p.links {
		between[l.from.rank] = append(between[l.from.rank], l)
	}
	count := 0
	for _, links := range between {
		for i, a := range links {
			for _, b := range links[:i] {
				if (place[a.from]-place[b.from])*(place[a.to]-place[b.to]) < 0 {
					count++
				}
			}
		}
	}
	return count
}
