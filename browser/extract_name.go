package browser

import (
	"strings"
)

// away are words in a link, or on it, that lead away from the listing itself.
var away = newSieve(`(?i)\b(\w*forward|contact|login|log-in|signin|sign-in|logon|register|inloggen|anmelden|fav|favou?rites?|favorit\w*|bookmarks?|bewaar\w*|shortlist|wishlist|watchlist|save|merken|merkzettel|share|teilen|delen|report|melden|agents?|agency|agencies|makelaars?|makler|broker|branch|inmobiliaria|agenzia|agence|immobilier|tel|mailto|whatsapp|email|enquir\w+|inquir\w+|message|reply|calculator|mortgage|hypotheek|finanzierung|map|karte|kaart|mapa|compare|hide|print|user|users|profile|profil|seller|landlord|pro|company|firma|blog|news|help)\b`)

// ownLink is the most prominent link of a card that ok says yes to and that does not
// lead away; nil for none.
func (g *ground) ownLink(root int, ok func(t *target) bool) *target {
	best, score := (*target)(nil), 0.0
	for _, l := range g.linksIn(root) {
		t := g.byNode[l]
		if t == best || leadsAway(t) || !ok(t) {
			continue
		}
		if s := g.prominence(root, t); s > score {
			best, score = t, s
		}
	}
	return best
}

// leadsAway says whether the words of an address are those of an agent, a contact
// form or a service.
func leadsAway(t *target) bool {
	return away.MatchString(apartWords.Replace(t.url.Path + " " + t.url.RawQuery))
}

// apartWords parts the words of an address.
var apartWords = strings.NewReplacer("/", " ", "_", " ", "=", " ", "?", " ", "&", " ")

// prominence is what a card says for a target being its listing, in points: above 0
// it may be.
func (g *ground) prominence(root int, t *target) float64 {
	score := min(float64(t.strength), 6) / 2
	if leadsAway(t) {
		score -= 5
	}
	for _, l := range t.nodes {
		if g.within(l, root) {
			score += g.anchorScore(root, l)
		}
	}
	return score
}

// anchorScore is what one link's place in the card says: a headline, a price and a
// picture are the listing's.
func (g *ground) anchorScore(root, l int) float64 {
	score := 0.5
	if g.tally(g.heading, l) > 0 || g.ancestor(l, func(n *node) bool { return isHeading(n) }) > root {
		score += 3
	}
	if g.tally(g.image, l) > 0 {
		score++
	}
	if g.tally(g.money, l) > 0 {
		score += 2
	}
	return score
}
