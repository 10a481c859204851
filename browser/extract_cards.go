package browser

import (
	"sort"
	"strings"
)

// ground is a page prepared for finding cards: sums over the nodes, so that the
// signs within any subtree are counted in one step.
type ground struct {
	*snapshot
	targets
	done    <-chan struct{} // closed when nobody waits any more
	chromed []bool
	linked  []int // nodes that are links to a target, in page order

	money, area, image, heading, named, letters []int // prefix sums
}

func newGround(s *snapshot, ts targets) *ground {
	g := &ground{snapshot: s, targets: ts, chromed: s.chrome()}
	for _, sum := range []*[]int{&g.money, &g.area, &g.image, &g.heading, &g.named, &g.letters} {
		*sum = make([]int, len(s.Nodes)+1)
	}
	for i := range s.Nodes {
		node := &s.Nodes[i]
		add := func(sum []int, yes bool) {
			sum[i+1] = sum[i]
			if yes {
				sum[i+1]++
			}
		}
		text := node.Tag == "" && node.Hidden == 0
		head := ""
		if text && strings.ContainsAny(node.Text, digits) && node.Parent >= 0 {
			head = g.headOf(i)
		}
		add(g.money, text && (hasMoney(node.Text) || head != "" && hasMoney(head+" "+node.Text)))
		add(g.area, text && (hasSize(node.Text) || head != "" && hasSize(node.Text+" "+head)))
		add(g.image, len(node.Images) > 0 || node.Style != "")
		add(g.heading, isHeading(node))
		add(g.named, ts.byNode[i] != nil && ts.byNode[i].strength > 0)
		g.letters[i+1] = g.letters[i]
		if text {
			g.letters[i+1] += len(node.Text)
		}
		if ts.byNode[i] != nil {
			g.linked = append(g.linked, i)
		}
	}
	return g
}

// headOf is the head of the column that a text stands in; "" outside of tables.
func (g *ground) headOf(i int) string {
	for p, up := g.Nodes[i].Parent, 0; p >= 0 && up < 3; p, up = g.Nodes[p].Parent, up+1 {
		if isCell(&g.Nodes[p]) {
			return g.cellLabel(p)
		}
	}
	return ""
}

func isHeading(n *node) bool {
	return len(n.Tag) == 2 && n.Tag[0] == 'h' && n.Tag[1] >= '1' && n.Tag[1] <= '6' || n.Role == "heading"
}

// tally counts signs within node i, by their prefix sums.
func (g *ground) tally(sums []int, i int) int { return sums[g.Nodes[i].end] - sums[i] }

// linksIn are the links inside node i, in page order.
func (g *ground) linksIn(i int) []int { return g.inside(g.linked, i) }

// inside are those of some nodes in page order that lie in the subtree of node i.
func (s *snapshot) inside(nodes []int, i int) []int {
	lo := sort.SearchInts(nodes, i)
	hi := sort.SearchInts(nodes, s.Nodes[i].end)
	return nodes[lo:hi]
}

// evidence says how much a part of the page looks like the card of a home.
func (g *ground) evidence(i int) int {
	e := 0
	if g.tally(g.money, i) > 0 {
		e += 3
	}
	for _, sum := range [][]int{g.area, g.image, g.heading, g.named} {
		if g.tally(sum, i) > 0 {
			e++
		}
	}
	if g.Nodes[i].Tag == "article" || len(g.Nodes[i].Data) > 0 {
		e++
	}
	return e
}

// enough is the evidence that a card needs: a price, or three smaller signs.
const enough = 3
