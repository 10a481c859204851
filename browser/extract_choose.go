package browser

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
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

// away are words in a link, or on it, that lead away from the listing itself.
var away = regexp.MustCompile(`(?i)\b(contact|login|log-in|signin|sign-in|logon|register|inloggen|anmelden|fav|favou?rites?|favorit\w*|bookmarks?|bewaar\w*|shortlist|wishlist|watchlist|save|merken|merkzettel|share|teilen|delen|report|melden|agents?|agency|agencies|makelaars?|makler|broker|branch|inmobiliaria|agenzia|agence|immobilier|tel|mailto|whatsapp|email|enquir\w+|inquir\w+|message|reply|calculator|mortgage|hypotheek|finanzierung|map|karte|kaart|mapa|compare|hide|print|user|users|profile|profil|seller|landlord|pro|company|firma|blog|news|help)\b`)

// nameLinks chooses for each card the link to its listing. What the cards of a
// page have in common helps: the listing's links have one shape on nearly all of
// them, and no card's listing is another card's.
func (g *ground) nameLinks(cards []card) {
	where := map[string]int{} // identity -> in how many cards
	for _, c := range cards {
		seen := map[string]bool{}
		for _, l := range g.linksIn(c.root) {
			if id := g.byNode[l].identity; !seen[id] {
				seen[id] = true
				where[id]++
			}
		}
	}
	votes := map[string]float64{}
	for round := range 2 {
		next := map[string]float64{}
		for i := range cards {
			best, score := (*target)(nil), -1e9
			scores := map[*target]float64{}
			for _, l := range g.linksIn(cards[i].root) {
				t := g.byNode[l]
				if _, seen := scores[t]; !seen {
					scores[t] = g.linkScore(cards[i].root, t, where[t.identity])
					if round > 0 {
						scores[t] += 6 * votes[t.shape] / float64(len(cards))
					}
				}
				scores[t] += g.anchorScore(cards[i].root, l)
			}
			for _, l := range g.linksIn(cards[i].root) {
				if t := g.byNode[l]; scores[t] > score {
					best, score = t, scores[t]
				}
			}
			if score < 0 {
				best = nil
			}
			cards[i].link = best
			if best != nil {
				next[best.shape]++
			}
		}
		votes = next
	}
}

// linkScore is what a target itself says for being the card's listing.
func (g *ground) linkScore(root int, t *target, cards int) float64 {
	score := min(float64(t.strength), 6) / 2
	if cards > 1 {
		score -= 6
	}
	path := strings.NewReplacer("/", " ", "_", " ", "=", " ", "?", " ", "&", " ").Replace(t.url.Path + " " + t.url.RawQuery)
	if away.MatchString(path) {
		score -= 5
	}
	if t.soft {
		score -= 2
	}
	for _, v := range g.Nodes[root].Data {
		if t.id != "" && strings.EqualFold(v, t.id) {
			score += 3
		}
	}
	return score
}

// anchorScore is what one link's place in the card says: a headline and a link
// around the whole card are the listing's, a word like "contact" is not.
func (g *ground) anchorScore(root, l int) float64 {
	score := 0.5
	n := &g.Nodes[l]
	if g.tally(g.heading, l) > 0 || g.ancestor(l, func(n *node) bool { return isHeading(n) }) > root {
		score += 3
	}
	if g.tally(g.image, l) > 0 {
		score++
	}
	if g.tally(g.money, l) > 0 {
		score += 2
	}
	if all := g.tally(g.letters, root); all > 0 && 2*g.tally(g.letters, l) > all {
		score++
	}
	if strings.Contains(n.Rel, "sponsored") {
		score--
	}
	if text := n.Label; len(text) < 40 && away.MatchString(text) {
		score -= 3
	}
	return score
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
	// Where all other links carry an id, one that does not is an advertisement.
	if 10*named >= 8*len(cards) {
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
			if g.Nodes[i].Tag == "main" || g.Nodes[i].Tag == "body" || g.tally(g.letters, i) > 1500 {
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

// around builds the cards of targets that are known to be listings: for each the
// largest part of the page that holds no other of them.
func (g *ground) around(wanted []*target) []card {
	isWanted := map[*target]bool{}
	for _, t := range wanted {
		isWanted[t] = true
	}
	alone := func(i int, t *target) bool {
		for _, l := range g.linksIn(i) {
			if o := g.byNode[l]; isWanted[o] && o.identity != t.identity {
				return false
			}
		}
		return true
	}
	var cards []card
	for _, t := range wanted {
		for k, l := range t.nodes {
			if k > 0 && len(cards) > 0 && g.within(l, cards[len(cards)-1].root) {
				continue
			}
			root := l
			for p := g.Nodes[l].Parent; p > 0 && alone(p, t) && g.cardSized(p); p = g.Nodes[p].Parent {
				root = p
			}
			cards = append(cards, card{root: root, link: t, evidence: g.evidence(root)})
		}
	}
	g.level(cards)
	slices.SortFunc(cards, func(a, b card) int { return cmp.Compare(a.root, b.root) })
	return cards
}

// cardSized says whether a part of the page can still be one card.
func (g *ground) cardSized(i int) bool {
	return g.Nodes[i].Tag != "body" && g.Nodes[i].Tag != "main" && g.tally(g.letters, i) <= 4000
}

// level brings down the cards that swallowed their surroundings because nothing
// stood beside them: to the depth at which most cards are.
func (g *ground) level(cards []card) {
	if len(cards) < 3 {
		return
	}
	depths := make([]int, len(cards))
	for i, c := range cards {
		depths[i] = g.depth(c.root)
	}
	sorted := slices.Sorted(slices.Values(depths))
	usual := sorted[len(sorted)/2]
	for i := range cards {
		if depths[i] >= usual {
			continue
		}
		for _, l := range cards[i].link.nodes {
			if !g.within(l, cards[i].root) {
				continue
			}
			for p := l; p > cards[i].root; p = g.Nodes[p].Parent {
				if g.depth(p) == usual && g.evidence(p) >= enough && (g.tally(g.money, p) > 0 || g.tally(g.money, cards[i].root) == 0) {
					cards[i].root = p
					cards[i].evidence = g.evidence(p)
					break
				}
			}
			break
		}
	}
}

func (g *ground) depth(i int) int {
	depth := 0
	for ; i >= 0; i = g.Nodes[i].Parent {
		depth++
	}
	return depth
}
