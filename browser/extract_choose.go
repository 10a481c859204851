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

// group are the cards of a page that are made alike.
type group struct {
	n, weight, priced, named int
	shapes, hosts            map[string]bool
	aside                    bool
}

// average is how much a group's cards look like homes, in tenths.
func (gr *group) average() int { return 10 * gr.weight / gr.n }

func (g *ground) groups(cards []card) map[string]*group {
	groups := map[string]*group{}
	for _, c := range cards {
		key := g.kind(c)
		gr := groups[key]
		if gr == nil {
			gr = &group{shapes: map[string]bool{}, hosts: map[string]bool{}}
			groups[key] = gr
		}
		gr.n++
		gr.weight += c.evidence
		gr.shapes[c.link.shape] = true
		gr.hosts[c.link.url.Hostname()] = true
		if g.tally(g.money, c.root) > 0 {
			gr.priced++
			gr.weight += 3
		}
		if c.link.strength > 0 {
			gr.named++
		}
		gr.aside = gr.aside || g.ancestor(c.root, func(n *node) bool { return n.Tag == "aside" || n.Role == "complementary" }) >= 0
	}
	return groups
}

// mainCards keeps the cards that are the page's results: the group that weighs
// most, cards of other groups whose links have its shapes, and whole groups that
// look as much like homes, such as houses in a list beside one of apartments.
func (g *ground) mainCards(cards []card) []card {
	groups := g.groups(cards)
	var best *group
	for _, c := range cards { // in page order, so that ties go to the first
		if gr := groups[g.kind(c)]; best == nil || gr.weight > best.weight {
			best = gr
		}
	}
	if best == nil {
		return nil
	}
	priced := 2*best.priced >= best.n
	pricedShapes := map[string]bool{}
	for _, c := range cards {
		if g.tally(g.money, c.root) > 0 {
			pricedShapes[c.link.shape] = true
		}
	}
	return slices.DeleteFunc(cards, func(c card) bool {
		own := groups[g.kind(c)]
		switch {
		case own == best:
			return priced && g.oddOneOut(c, pricedShapes)
		case own.aside && !best.aside:
			return true // seen before, or advertised beside the list
		case best.shapes[c.link.shape]:
			return priced && 2*own.priced < own.n
		}
		return !own.equals(best)
	})
}

// equals says whether a second group of cards is a second list of results.
func (gr *group) equals(best *group) bool {
	sameHosts := true
	for h := range gr.hosts {
		sameHosts = sameHosts && best.hosts[h]
	}
	return gr.n >= 2 && sameHosts && 2*gr.priced >= gr.n && 2*gr.named >= gr.n && 10*gr.average() >= 8*best.average()
}

// oddOneOut says whether a card among priced ones shows neither a price nor a
// size, and leads to a kind of page that no priced card leads to: a teaser.
func (g *ground) oddOneOut(c card, pricedShapes map[string]bool) bool {
	return g.tally(g.money, c.root)+g.tally(g.area, c.root) == 0 && !pricedShapes[c.link.shape]
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
	return fmt.Sprintf("%s at %d", g.Nodes[c.root].Tag, g.depths[c.root])
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
	inCard := make([]bool, len(g.Nodes))
	for _, c := range cards {
		for i := c.root; i < g.Nodes[c.root].end; i++ {
			inCard[i] = true
		}
	}
	var wanted []*target
	more := map[*target]bool{}
	for _, t := range g.all {
		if have[t.identity] || t.chrome || t.strength == 0 || 3*shapes[t.shape] < len(cards) || inCard[t.nodes[0]] {
			continue
		}
		wanted = append(wanted, t)
		more[t] = true
	}
	if len(more) == 0 {
		return cards
	}
	for _, c := range cards {
		wanted = append(wanted, c.link)
	}
	parents := map[int]bool{}
	for _, c := range cards {
		parents[g.Nodes[c.root].Parent] = true
	}
	for _, c := range g.around(wanted) {
		if more[c.link] && (c.evidence >= enough || parents[g.Nodes[c.root].Parent]) {
			cards = append(cards, c)
		}
	}
	slices.SortFunc(cards, func(a, b card) int { return cmp.Compare(a.root, b.root) })
	return cards
}
