package browser

import (
	"net/url"
	"slices"
	"strings"

	"notifio.app/notifio/assets"
)

// ownHome says whether the page shows one home of its own: a headline, a price, a
// size, and a description or several facts, before the first of a list of cards and
// outside of one or two that may be stray links. A card around the page's only
// headline is that home itself, with a link to another one in it.
func (g *ground) ownHome(cards []card) bool {
	isTitle := func(n *node) bool { return n.Tag == "h1" }
	if first := slices.IndexFunc(g.Nodes, func(n node) bool { return isTitle(&n) }); first >= 0 && !slices.ContainsFunc(g.Nodes[first+1:], func(n node) bool { return isTitle(&n) }) {
		cards = slices.DeleteFunc(slices.Clone(cards), func(c card) bool { return g.within(first, c.root) })
	}
	found := slices.DeleteFunc(slices.Clone(cards), func(c card) bool { return c.other })
	headline, price, long, facts := false, false, false, 0
	for _, b := range g.blocks() {
		if len(found) > fewListings && b.at > found[0].root {
			break
		}
		if b.chrome || b.link || g.inCard(cards, b.at) || g.ancestor(b.at, func(n *node) bool { return n.Tag == "form" }) >= 0 {
			continue
		}
		headline = headline || g.ancestor(b.at, isTitle) >= 0
		price = price || headline && hasMoney(b.text) && len(b.text) <= 120
		long = long || len(b.text) > longestSentence
		if hasSize(b.text) || g.ancestor(b.at, func(n *node) bool { return n.Tag == "td" || n.Tag == "dd" }) >= 0 {
			facts++
		}
	}
	return headline && price && facts > 0 && (long || facts >= 4)
}

// isListing says whether the page's own address is that of a listing: by the
// portal's definition, or because it carries an id where the cards' links carry
// theirs. Without more than a stray listing, any long id will do.
func isListing(own *url.URL, p *assets.Portal, cards []card, listings int) bool {
	if p != nil {
		if _, ok := p.ListingID(own); ok {
			return true
		}
	}
	if idToken(listingID(own)) < 4 && pathID(own) == "" {
		return false
	}
	alike := countCards(cards, func(c card) bool { return idPlace(c.link.url) == idPlace(own) })
	return listings <= fewListings || 2*alike > len(cards)
}

// idPlace is which of the parts of a path carries an id.
func idPlace(u *url.URL) string {
	var b strings.Builder
	for part := range slices.Values(pathOf(u)[1:]) {
		if _, strength := segmentID(part); strength >= 4 {
			b.WriteByte('#')
		} else {
			b.WriteByte('/')
		}
	}
	return b.String()
}
