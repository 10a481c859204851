package browser

import (
	"strings"
)

// away are words in a link, or on it, that lead away from the listing itself.
var away = newSieve(`(?i)\b(\w*forward|contact|login|log-in|signin|sign-in|logon|register|inloggen|anmelden|fav|favou?rites?|favorit\w*|bookmarks?|bewaar\w*|shortlist|wishlist|watchlist|save|merken|merkzettel|share|teilen|delen|report|melden|agents?|agency|agencies|makelaars?|makler|broker|branch|inmobiliaria|agenzia|agence|immobilier|tel|mailto|whatsapp|email|enquir\w+|inquir\w+|message|reply|calculator|mortgage|hypotheek|finanzierung|map|karte|kaart|mapa|compare|hide|print|user|users|profile|profil|seller|landlord|pro|company|firma|blog|news|help)\b`)

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
	scores := make([]map[*target]float64, len(cards))
	for i, c := range cards {
		scores[i] = g.scores(c.root, where)
	}
	votes := map[string]float64{}
	for range 2 {
		next := map[string]float64{}
		for i := range cards {
			best, score := (*target)(nil), -1e9
			for _, l := range g.linksIn(cards[i].root) {
				t := g.byNode[l]
				if s := scores[i][t] + 6*votes[t.shape]/float64(len(cards)); s > score {
					best, score = t, s
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

// scores are what a card alone says for each of its targets being its listing.
func (g *ground) scores(root int, where map[string]int) map[*target]float64 {
	scores := map[*target]float64{}
	for _, l := range g.linksIn(root) {
		t := g.byNode[l]
		if _, seen := scores[t]; !seen {
			scores[t] = g.linkScore(root, t, where[t.identity])
		}
		scores[t] += g.anchorScore(root, l)
	}
	return scores
}

// apartWords parts the words of an address.
var apartWords = strings.NewReplacer("/", " ", "_", " ", "=", " ", "?", " ", "&", " ")

// prominence is what a card says for a target being its listing.
func (g *ground) prominence(root int, t *target) float64 {
	score := g.linkScore(root, t, 1)
	for _, l := range t.nodes {
		if g.within(l, root) {
			score += g.anchorScore(root, l)
		}
	}
	return score
}

// linkScore is what a target itself says for being the card's listing.
func (g *ground) linkScore(root int, t *target, cards int) float64 {
	score := min(float64(t.strength), 6) / 2
	if cards > 1 {
		score -= 6
	}
	if away.MatchString(apartWords.Replace(t.url.Path + " " + t.url.RawQuery)) {
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
