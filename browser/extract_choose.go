package browser

import (
	"cmp"
	"fmt"
	"slices"
)

// generic finds the cards of a site that nobody has described, in page order.
func (g *ground) generic() []card {
	lists := g.lists()
	var cards []card
	for _, l := range lists {
		for _, c := range l.cards {
			cards = append(cards, card{root: c, evidence: g.evidence(c)})
		}
	}
	slices.SortFunc(cards, func(a, b card) int { return cmp.Compare(a.root, b.root) })
	g.nameLinks(cards)
	cards = slices.DeleteFunc(cards, func(c card) bool { return c.link == nil })
	cards = g.believable(g.mainCards(cards))
	if len(cards) == 0 {
		cards = g.single()
	}
	return g.stray(cards)
}

// mainCards keeps the cards that are the page's results: those whose listing
// links have the shape of the best group, and those that stand in the same list
// as one of them.
func (g *ground) mainCards(cards []card) []card {
	type group struct{ weight, n, priced int }
	groups := map[string]*group{}
	best := ""
	for _, c := range cards {
		key := g.kind(c)
		if groups[key] == nil {
			groups[key] = &group{}
		}
		gr := groups[key]
		gr.n++
		gr.weight += c.evidence
		if g.tally(g.money, c.root) > 0 {
			gr.priced++
			gr.weight += 3
		}
		if best == "" || gr.weight > groups[best].weight {
			best = key
		}
	}
	if best == "" {
		return nil
	}
	shapes := map[string]bool{}
	for _, c := range cards {
		if g.kind(c) == best {
			shapes[c.link.shape] = true
		}
	}
	priced := 2*groups[best].priced >= groups[best].n
	return slices.DeleteFunc(cards, func(c card) bool {
		if g.kind(c) == best {
			return false
		}
		own := groups[g.kind(c)]
		return !shapes[c.link.shape] || priced && 2*own.priced < own.n
	})
}

// believable drops what may be anything: one or two cards need every sign of a
// listing, more of them at least prices or ids on half.
func (g *ground) believable(cards []card) []card {
	if own := webLink(g.URL); own != nil {
		same := func(c card) bool { return c.link.url.Host == own.Host && c.link.url.Path == own.Path }
		if n := countCards(cards, same); 2*n < len(cards) {
			cards = slices.DeleteFunc(cards, same) // the search itself, with a parameter more
		}
	}
	named := countCards(cards, func(c card) bool { return c.link.strength > 0 })
	// Where most links carry an id, one that does not is an advertisement.
	if 10*named >= 6*len(cards) {
		cards = slices.DeleteFunc(cards, func(c card) bool { return c.link.strength == 0 })
	}
	priced := countCards(cards, func(c card) bool { return g.tally(g.money, c.root) > 0 })
	if len(cards) <= 2 && (named < len(cards) || priced < len(cards)) || 2*max(priced, named) < len(cards) {
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

// kind groups cards that are made alike: the same element at the same depth.
func (g *ground) kind(c card) string {
	return fmt.Sprintf("%s at %d", g.Nodes[c.root].Tag, g.depth(c.root))
}

// single finds the one card of a page with a single result: the smallest part
// with a price, a headline or a picture, and a link with an id.
func (g *ground) single() []card {
	var found []card
	for _, t := range g.all {
		if t.chrome || t.strength == 0 {
			continue
		}
		for i := t.nodes[0]; i > 0; i = g.Nodes[i].Parent {
			if g.Nodes[i].Tag == "main" || g.Nodes[i].Tag == "body" || g.tally(g.letters, i) > mostLetters {
				break
			}
			if g.tally(g.money, i) > 0 && g.tally(g.heading, i)+g.tally(g.image, i) > 0 {
				found = append(found, card{root: i, evidence: g.evidence(i)})
				break
			}
		}
	}
	slices.SortFunc(found, func(a, b card) int { return cmp.Compare(a.root, b.root) })
	found = slices.CompactFunc(found, func(a, b card) bool { return g.within(b.root, a.root) })
	g.nameLinks(found)
	return slices.DeleteFunc(found, func(c card) bool { return c.link == nil || c.link.strength == 0 })
}

// stray adds listings that have the shape of the others' links but stand alone,
// such as the only card of a last row.
func (g *ground) stray(cards []card) []card {
	if len(cards) == 0 {
		return cards
	}
	shapes := map[string]int{}
	have := map[string]bool{}
	for _, c := range cards {
		shapes[c.link.shape]++
		have[c.link.identity] = true
	}
	var more []*target
	for _, t := range g.all {
		if have[t.identity] || t.chrome || t.strength == 0 || 3*shapes[t.shape] < len(cards) {
			continue
		}
		inCard := slices.ContainsFunc(cards, func(c card) bool { return g.within(t.nodes[0], c.root) })
		if !inCard {
			more = append(more, t)
		}
	}
	if len(more) == 0 {
		return cards
	}
	wanted := slices.Clone(more)
	for _, c := range cards {
		wanted = append(wanted, c.link)
	}
	parents := map[int]bool{}
	for _, c := range cards {
		parents[g.Nodes[c.root].Parent] = true
	}
	for _, c := range g.around(wanted) {
		if slices.Contains(more, c.link) && (c.evidence >= enough || parents[g.Nodes[c.root].Parent]) {
			cards = append(cards, c)
		}
	}
	slices.SortFunc(cards, func(a, b card) int { return cmp.Compare(a.root, b.root) })
	return cards
}
