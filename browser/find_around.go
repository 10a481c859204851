package browser

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// around tells the cards of the list from the cards of the same family that stand
// around it, which are other homes, and adds the list's cards whose links have
// another form, unless a definition has named all that are listings.
func (g *ground) around(cards []card, defined bool) []card {
	main := g.main(cards)
	if len(main) == 0 {
		return nil
	}
	look, roots, end := g.look(main), rootsOf(main), g.turned(main[len(main)-1].root)
	var out []card
	for _, b := range g.sideBySide(cards) {
		n := countCards(b, func(c card) bool { return g.share(look, c.root) >= likeness })
		for _, c := range b {
			switch {
			case ruleComplementary.on() && g.complementary(c.root) && !g.complementary(main[0].root):
				c.other = true
			case n >= 2, g.share(look, c.root) >= likeness:
			case len(main) < 3 && n > 0 && c.evidence >= 2:
				// Of a list of two the look says little: one may have no price.
			case ruleMereLink.on() && c.evidence < enough, rulePart.on() && n == 1:
				continue // a mere link, or a part of the card beside it
			default:
				c.other = c.other || ruleHeaded.on() && g.headed(b, roots) || rulePager.on() && c.root > end
			}
			out = append(out, c)
		}
		if n >= 2 && !defined && ruleFill.on() {
			out = append(out, g.fill(b, cards, look)...)
		}
	}
	slices.SortStableFunc(out, func(a, b card) int { return cmp.Compare(a.root, b.root) })
	return out
}

// main are the cards that make the list: of those of one tag at one depth that
// weigh most together, the ones side by side that do, unless they are a row of one
// or two.
func (g *ground) main(cards []card) []card {
	good := slices.DeleteFunc(slices.Clone(cards), func(c card) bool { return c.other || c.evidence < enough })
	kind := g.heaviest(good, func(c card) string { return fmt.Sprint(g.Nodes[c.root].Tag, g.Nodes[c.root].depth) })
	if side := g.heaviest(kind, func(c card) string { return fmt.Sprint(g.Nodes[c.root].Parent) }); len(side) > 2 && ruleSideBySide.on() {
		return side
	}
	return kind
}

// heaviest are the cards of one kind that weigh most together.
func (g *ground) heaviest(cards []card, kind func(c card) string) []card {
	weights, best := map[string]int{}, ""
	for _, c := range cards {
		k := kind(c)
		weights[k] += g.weight(c)
		if best == "" || weights[k] > weights[best] {
			best = k
		}
	}
	return slices.DeleteFunc(slices.Clone(cards), func(c card) bool { return kind(c) != best })
}

// weight is how much a card looks like a home: many signs together are worth more
// than each of them.
func (g *ground) weight(c card) int {
	switch {
	case !ruleTogether.on():
		return c.evidence
	case g.tally(g.area, c.root)+g.tally(g.image, c.root)+g.tally(g.heading, c.root) == 0:
		return 1 // an amount and a link: a filter, or the median rent of a town
	}
	return c.evidence * c.evidence / 2
}

// sideBySide are the cards that stand side by side below one parent.
func (g *ground) sideBySide(cards []card) [][]card {
	var out [][]card
	at := map[int]int{}
	for _, c := range cards {
		p := g.Nodes[c.root].Parent
		i, seen := at[p]
		if !seen {
			i = len(out)
			at[p] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}

// look is how cards are made: the places within them at which most of them have a
// text, a link or a picture.
type look map[uint64]bool

// typical is the share of a list's cards that make its look, and likeness the share
// of a look that a card must have to belong to the list.
const (
	typical  = 0.6
	likeness = 0.8
)

func (g *ground) look(cards []card) look {
	count := map[uint64]int{}
	for _, c := range cards {
		for place := range g.places(c.root) {
			count[place]++
		}
	}
	out := look{}
	for place, n := range count {
		if float64(n) >= typical*float64(len(cards)) {
			out[place] = true
		}
	}
	return out
}

// places are where node i has its texts, links and pictures. The tag of the node
// itself does not count.
func (g *ground) places(i int) look {
	out := look{}
	for j := i + 1; j < g.Nodes[i].end; j++ {
		n := &g.Nodes[j]
		if n.Hidden != 0 {
			j = n.end - 1
		} else if n.Tag == "" || n.Tag == "a" || n.Tag == "img" || len(n.Images) > 0 {
			out[g.place(j, i+1)] = true
		}
	}
	return out
}

// share is how much of a look node i has.
func (g *ground) share(l look, i int) float64 {
	if len(l) == 0 {
		return 0
	}
	own, n := g.places(i), 0
	for place := range l {
		if own[place] {
			n++
		}
	}
	return float64(n) / float64(len(l))
}

func (g *ground) complementary(i int) bool {
	return g.ancestor(i, func(n *node) bool { return n.Tag == "aside" || n.Role == "complementary" }) >= 0
}

func rootsOf(cards []card) []int {
	roots := make([]int, len(cards))
	for i, c := range cards {
		roots[i] = c.root
	}
	slices.Sort(roots)
	return roots
}

// headed says whether a block has a heading of its own, which no card of the list
// stands under.
func (g *ground) headed(block []card, list []int) bool {
	box := g.Nodes[block[0].root].Parent
	if box < 0 || len(g.inside(list, box)) > 0 {
		return false
	}
	for p := g.Nodes[box].Parent; p >= 0 && len(g.inside(list, p)) == 0; p = g.Nodes[p].Parent {
		box = p
	}
	inCards := 0
	for _, c := range block {
		inCards += g.tally(g.heading, c.root)
	}
	return g.tally(g.heading, box) > inCards
}

// turned is where the list is turned to its next page behind a node: links that
// count on, "2", "3". What follows is no result. It is the page's end without them.
func (g *ground) turned(from int) int {
	last := 0
	for i := from; i < len(g.Nodes); i++ {
		if g.Nodes[i].link == nil {
			continue
		}
		n, err := strconv.Atoi(g.text(i))
		if err == nil && n > 1 && n == last+1 {
			return i
		}
		if last = 0; err == nil {
			last = n
		}
	}
	return len(g.Nodes)
}

// fill finds what stands among the cards of a block and is made like them, though
// its link has another form. Links of a form that the list's cards have beside
// their own lead to something else.
func (g *ground) fill(block, cards []card, l look) []card {
	priced := 2*countCards(block, func(c card) bool { return g.tally(g.money, c.root) > 0 }) >= len(block)
	beside := map[string]bool{}
	for _, c := range block {
		for _, k := range g.linksIn(c.root) {
			beside[g.byNode[k].shape] = true
		}
	}
	places := map[uint64]bool{}
	for _, c := range block {
		for _, k := range c.link.nodes {
			if g.within(k, c.root) {
				places[g.place(k, c.root+1)] = true
			}
		}
	}
	var found []card
	parent := g.Nodes[block[0].root].Parent
	taken := rootsOf(slices.DeleteFunc(slices.Clone(cards), func(c card) bool { return c.other }))
	for c := parent + 1; c < g.Nodes[parent].end; c = g.Nodes[c].end {
		switch {
		case g.Nodes[c].Tag == "" || g.Nodes[c].Hidden != 0 || g.evidence(c) < enough || len(g.inside(taken, c)) > 0:
		case priced && g.tally(g.money, c)+g.tally(g.area, c) == 0:
		case g.share(l, c) < likeness && !g.covered(c, cards, places):
		default:
			found = append(found, card{root: c, evidence: g.evidence(c)})
		}
	}
	own := map[string]bool{}
	for _, c := range cards {
		own[c.link.identity] = true
	}
	for i := range found {
		found[i].link = g.ownLink(found[i].root, func(t *target) bool {
			return !own[t.identity] && !(ruleBeside.on() && beside[t.shape])
		})
	}
	return slices.DeleteFunc(found, func(c card) bool { return c.link == nil })
}

// covered says whether node c is a project's card: flats of the family are in it,
// and a link of its own is where the other cards have theirs.
func (g *ground) covered(c int, cards []card, places map[uint64]bool) bool {
	if !ruleCovered.on() || !slices.ContainsFunc(cards, func(o card) bool { return o.other && g.within(o.root, c) }) {
		return false
	}
	return slices.ContainsFunc(g.linksIn(c), func(l int) bool { return places[g.place(l, c+1)] })
}

// beside adds a second list that looks as much like homes as the first, such as
// houses below apartments.
func (g *ground) beside(cards, second []card, end int) []card {
	second = slices.DeleteFunc(slices.Clone(second), func(c card) bool { return c.evidence < enough })
	if len(second) < 2 || !ruleSecond.on() {
		return cards
	}
	first, others := rootsOf(cards), rootsOf(second)
	for _, c := range cards {
		if len(g.inside(others, max(0, g.Nodes[c.root].Parent))) > 0 {
			return cards // they stand among the first, and fill has decided
		}
	}
	if rulePager.on() && others[0] > end || slices.ContainsFunc(others, func(s int) bool { return len(g.inside(first, s)) > 0 }) {
		return cards
	}
	for _, sign := range [][]int{g.money, g.area, g.image, g.heading, g.named} {
		shows := func(c card) bool { return g.tally(sign, c.root) > 0 }
		if ruleSigns.on() && 5*countCards(cards, shows) >= 4*len(cards) && 2*countCards(second, shows) < len(second) {
			return cards
		}
	}
	hosts := map[string]bool{}
	for _, c := range cards {
		hosts[c.link.url.Hostname()] = true
	}
	good := func(c card) bool {
		return hosts[c.link.url.Hostname()] && c.link.strength > 0 && g.tally(g.money, c.root) > 0 && !g.complementary(c.root)
	}
	if 2*countCards(second, good) < len(second) {
		return cards
	}
	cards = append(cards, second...)
	slices.SortStableFunc(cards, func(a, b card) int { return cmp.Compare(a.root, b.root) })
	return cards
}

// believable drops what may be anything: one or two cards need every sign of a
// listing, more of them at least prices or ids on half.
func (g *ground) believable(cards []card) []card {
	ours := slices.DeleteFunc(slices.Clone(cards), func(c card) bool { return c.other })
	named := countCards(ours, func(c card) bool { return c.link.strength > 0 })
	priced := countCards(ours, func(c card) bool { return g.tally(g.money, c.root) > 0 })
	if ruleFew.on() && len(ours) <= 2 && (named < len(ours) || priced == 0) {
		total, sure := g.count(g.blocks(), ours)
		if total != len(ours) || !sure && len(ours) < 2 || priced < len(ours) || !ruleCounted.on() {
			return nil
		}
	}
	if 2*max(priced, named) < len(ours) {
		return nil
	}
	return cards
}

func countCards(cards []card, ok func(c card) bool) int {
	n := 0
	for _, c := range cards {
		if ok(c) {
			n++
		}
	}
	return n
}
