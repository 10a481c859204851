package browser

import (
	"regexp"
	"strings"
)

// address is what stands in an <address>, else the first line that ends in a
// postcode and town, or has one in it.
func (g *ground) address(c card, lines []string) string {
	for i := c.root; i < g.Nodes[c.root].end; i++ {
		if g.Nodes[i].Tag == "address" {
			if text := g.text(i); text != "" {
				return text
			}
		}
	}
	for _, line := range lines {
		if len(line) <= 120 && postcode.MatchString(line) && !hasMoney(line) {
			return line
		}
	}
	for _, line := range lines {
		if len(line) <= 90 && townLine.MatchString(line) && !hasMoney(line) && !hasSize(line) {
			return line
		}
	}
	return ""
}

var (
	postcode = regexp.MustCompile(`\b\d{4}\s?[A-Z]{2}\b|\p{Lu}[\pL -]+ \(\d{4,5}\)|\b[A-Z]{1,2}\d[A-Z\d]?(?:\s\d[A-Z]{2})?\b|\b\d{4,5}\s+\p{Lu}\pL+|\b\d{2}-\d{3}\s+\p{Lu}|\b\d{3}\s\d{2}\s+\p{Lu}`)
	townLine = regexp.MustCompile(`^\p{Lu}[^.!?:|]{2,50},\s*\p{Lu}[^.!?:|]{1,40}$`)
)

// title is the card's headline, else the text of the link to the listing, else
// a label, else the address.
func (g *ground) title(c card, lines []string, address string) string {
	best, rank := "", "h9"
	for i := c.root; i < g.Nodes[c.root].end; i++ {
		n := &g.Nodes[i]
		if isHeading(n) && n.Hidden == 0 && (best == "" || len(n.Tag) == 2 && n.Tag < rank) {
			if text := g.text(i); worthy(text) {
				best, rank = text, n.Tag
			}
		}
	}
	if best != "" {
		return best
	}
	for _, l := range g.links(c) {
		texts := g.titleLines(l)
		for _, text := range texts {
			if !worthy(text) || len(texts) > 2 && !telling(text) {
				continue
			}
			if best == "" || len([]rune(best)) < 8 {
				best = text
			}
		}
	}
	for _, l := range g.links(c) {
		if label := clean(g.Nodes[l].Label); best == "" && worthy(label) {
			best = label
		}
	}
	if best == "" {
		best = address
	}
	for _, text := range lines {
		if best == "" && worthy(text) {
			best = text
		}
	}
	return best
}

// links are the card's links to its listing, by whichever of its addresses.
func (g *ground) links(c card) []int {
	var out []int
	for _, l := range g.linksIn(c.root) {
		if t := g.byNode[l]; t == c.link || t.identity == c.link.identity && !away.MatchString(t.url.Path) {
			out = append(out, l)
		}
	}
	return out
}

// titleLines are the lines of a link that can be a title. Of a line with a price
// in it only the parts beside the price are left.
func (g *ground) titleLines(l int) []string {
	var out []string
	for _, line := range g.rawLines(l) {
		if !hasMoney(line) {
			out = append(out, clean(line))
			continue
		}
		whole := clean(line)
		for part := range strings.SplitSeq(line, seam) {
			if part = clean(part); worthy(part) && !hasMoney(part) {
				out = append(out, part)
			}
		}
		out = append(out, whole)
	}
	return out
}

// telling says whether one line among many in a link is its title rather than a
// badge, a feature or a size: it has three words and no measures.
func telling(text string) bool {
	return len(strings.Fields(text)) >= 3 && len(text) <= 150 && !hasSize(text) && !hasMoney(text)
}

// worthy says whether a text can be a title: it has words in it, and it is more
// than a price or a photo counter.
func worthy(text string) bool {
	letters := 0
	for _, r := range text {
		if r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= 0xC0 {
			letters++
		}
	}
	return letters >= 3 && !onlyMoney.MatchString(text) && !(len(text) < 20 && away.MatchString(text)) && !badge.MatchString(text)
}

// badge are labels on a card that say nothing of the home.
var badge = regexp.MustCompile(`(?i)^(?:new|nieuw|neu|nuevo|nouveau|nuovo|nowe|ny|top|premium|featured|highlight|sponsored|gesponsert|anzeige|reduced|verified|geverifieerd|zum (?:exposé|objekt|projekt)|details?|more|mehr|meer|weiter|view|bekijk|ansehen|ver|voir|vedi|map|karte|kaart|fotos?|photos?)[.!…]?$`)

var onlyMoney = regexp.MustCompile(`(?i)^(?:from|ab|vanaf|desde)?\s*(?:€|£|\$|CHF|EUR)\s?[\d.,' ]+\s*(?:\S{1,12}(?:\s\S{1,8})?)?$|^[\d.,' ]+\s?(?:€|zł|kr|Kč|CHF)`)
