package graph

import (
	"cmp"
	"slices"
)

// size makes each box high enough for its lines on both sides.
func (p *picture) size() {
	for _, l := range p.links {
		for _, b := range []*box{l.from, l.to} {
			if b.node != nil {
				b.h = max(b.h, float64(max(len(b.in), len(b.out)))*portSpace)
			}
		}
	}
}

// columns places the ranks from left to right, with room between them for the labels, and for curves that are not too
// steep.
func (p *picture) columns() {
	x := margin
	curves := curveRoom + min(p.h/25, 2*curveRoom)
	for rank, boxes := range p.ranks {
		label, width := 0.0, 0.0
		for _, b := range boxes {
			width = max(width, b.w)
			if b.below != nil {
				width = max(width, b.below.w)
			}
			for _, l := range b.in {
				label = max(label, l.labelWidth())
			}
		}
		if rank > 0 {
			x += label + curves
		}
		for _, b := range boxes {
			b.x = x
			switch {
			case b.node == nil:
				b.w = width
			case b.below != nil:
				b.below.x = x
			}
		}
		x += width
	}
	p.w = x + margin
}

// height is that of a box with what hangs below it.
func (b *box) height() float64 {
	if b.below == nil {
		return b.h
	}
	return b.h + hang + b.below.h
}

// middle is where the lines of a box are centred.
func (b *box) middle() float64 { return b.y + b.h/2 }

// rows moves the boxes up and down, rank by rank, towards the mean of what they are connected to.
func (p *picture) rows() {
	for _, rank := range p.ranks {
		settle(rank, func(*box) float64 { return 0 })
	}
	for range sweeps {
		for rank := 1; rank < len(p.ranks); rank++ {
			settle(p.ranks[rank], towards(before))
		}
		for rank := len(p.ranks) - 2; rank >= 0; rank-- {
			settle(p.ranks[rank], towards(behind))
		}
	}
	p.frame()
}

// towards returns the top at which the middle of a box is the mean of its neighbours'.
func towards(neighbours func(*box) []*box) func(*box) float64 {
	return func(b *box) float64 {
		boxes := neighbours(b)
		if len(boxes) == 0 {
			return b.y
		}
		sum := 0.0
		for _, n := range boxes {
			sum += n.middle()
		}
		return sum/float64(len(boxes)) - b.h/2
	}
}

// settle gives the boxes of a rank, in their order and without overlap, the tops that are nearest to what is wanted, by
// least squares: boxes that would overlap are joined to a block, which stands at the mean of what they want.
func settle(boxes []*box, wanted func(*box) float64) {
	type block struct {
		sum, count float64 // of the tops wanted, less the offsets in the rank
		boxes      int
	}
	offsets := make([]float64, len(boxes))
	var blocks []block
	for i, b := range boxes {
		if i > 0 {
			offsets[i] = offsets[i-1] + boxes[i-1].height() + gap
		}
		blocks = append(blocks, block{wanted(b) - offsets[i], 1, 1})
		for n := len(blocks); n > 1 && blocks[n-2].sum/blocks[n-2].count > blocks[n-1].sum/blocks[n-1].count; n-- {
			last := blocks[n-1]
			blocks = blocks[:n-1]
			blocks[n-2].sum += last.sum
			blocks[n-2].count += last.count
			blocks[n-2].boxes += last.boxes
		}
	}
	i := 0
	for _, block := range blocks {
		for range block.boxes {
			boxes[i].y = block.sum/block.count + offsets[i]
			i++
		}
	}
}

// frame moves the picture below the margin, with what hangs below.
func (p *picture) frame() {
	top := 0.0
	first := true
	for _, rank := range p.ranks {
		if len(rank) > 0 && (first || rank[0].y < top) {
			top, first = rank[0].y, false
		}
	}
	for _, rank := range p.ranks {
		for _, b := range rank {
			b.y += margin - top
			if b.below != nil {
				b.below.y = b.y + b.h + hang
			}
			p.h = max(p.h, b.y+b.height()+margin)
		}
	}
}

// ports places the ends of the links on the sides of the boxes, in the order of the boxes at their other ends.
func (p *picture) ports() {
	for _, rank := range p.ranks {
		for _, b := range rank {
			slices.SortStableFunc(b.in, func(l, m *link) int { return cmp.Compare(l.from.middle(), m.from.middle()) })
			slices.SortStableFunc(b.out, func(l, m *link) int { return cmp.Compare(l.to.middle(), m.to.middle()) })
			for i, l := range b.in {
				l.y2 = b.port(i, len(b.in))
			}
			for i, l := range b.out {
				l.y1 = b.port(i, len(b.out))
			}
		}
	}
}

// port returns the height of line i of n at a side of a box.
func (b *box) port(i, n int) float64 {
	return b.middle() + (float64(i)-float64(n-1)/2)*portSpace
}
