package browser

import (
	"cmp"
	"slices"
)

// around builds the cards of targets that are known to be listings: for each the
// largest part of the page that holds no other of them.
func (g *ground) around(wanted []*target) []card {
	var links []int // to any of them
	for _, t := range wanted {
		links = append(links, t.nodes...)
	}
	slices.Sort(links)
	alone := func(i int, t *target) bool {
		return !slices.ContainsFunc(g.inside(links, i), func(l int) bool { return g.byNode[l].identity != t.identity })
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

// mostLetters is how many letters of text a card has at most. The longest that
// were seen have a description of two thousand.
const mostLetters = 4000

// cardSized says whether a part of the page can still be one card.
func (g *ground) cardSized(i int) bool {
	return g.Nodes[i].Tag != "body" && g.Nodes[i].Tag != "main" && g.tally(g.letters, i) <= mostLetters
}

// level brings down the cards that swallowed their surroundings because nothing
// stood beside them: to the depth at which most cards are.
func (g *ground) level(cards []card) {
	if len(cards) < 3 {
		return
	}
	depths := make([]int, len(cards))
	for i, c := range cards {
		depths[i] = g.depths[c.root]
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
				if g.depths[p] == usual && g.evidence(p) >= enough && (g.tally(g.money, p) > 0 || g.tally(g.money, cards[i].root) == 0) {
					cards[i].root = p
					cards[i].evidence = g.evidence(p)
					break
				}
			}
			break
		}
	}
}
