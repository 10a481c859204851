package browser

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// countNoun are the things that a results page counts.
const countNoun = `(?:search )?(?:results?|hits|propert(?:y|ies)|homes?|rooms?|listings?|rentals?|apartments?|flats?|houses?|ads?|adverts?|offers?|places` +
	`|resulta(?:te|a)t(?:en)?|resultaten|(?:huur)?woning(?:en)?|kamers?|huizen|huis|appartement(?:en)?|advertenties?|objecten` +
	`|ergebnis(?:se)?|treffer|angebote?n?|(?:miet)?wohnung(?:en)?|immobilien?|objekte?|inserate?|anzeigen?|(?:wg-)?zimmer` +
	`|resultados?|viviendas?|pisos?|casas?|inmuebles?|anuncios?|risultat[oi]|annunci|immobili|case|appartamenti` +
	`|résultats?|annonces?|biens|logements?|appartements|locations|imóveis|wyników|ogłosze(?:ń|nia)|ofert[ay]?` +
	`|träffar|resultat|bostäder|annonser|resultater|boliger|lejeboliger|annoncer|treff|výsledků|nabídek|találat)`

var (
	countOf  = regexp.MustCompile(`(?i)\b\d[\d.,' ]*\s*(?:-|–|to|tot|bis|a|à|al|do|till)\s*\d[\d.,' ]*\s*(?:of|van|von|de|di|sur|z|av|af|out of)\s*(?:about |over |ca\. )?(\d[\d.,' ]*)\+?`)
	countOne = regexp.MustCompile(`(?i)(?:^|[^\d.,'\pL])(\d{1,3}(?:[.,' ]\d{3})+|\d{1,6})\+?\s+((?:\pL+[ -]){0,4}?)` + countNoun + `(?:[^\pL]|$)`)
	// roomCount are words between a number and a noun that make it a size: "2
	// bedroom flats" are not two results.
	roomCount = regexp.MustCompile(`(?i)\b(?:bed(?:room)?s?|rooms?|zimmer|zi|kamers?|slaapkamers?|hab\w*|dormitorios?|local[ei]|pi[eè]ces?|pok\w*|rum|m|km|min\w*|days?|hours?|years?|months?|weeks?|per|or|to|new|neue|nieuwe)\b`)
)

// counted reads the page's own count of results from a line, and how sure it is:
// 4 in a heading, 3 in "1 to 20 of 57", 1 elsewhere. It is -1 without one.
func counted(line string, heading bool) (total, sure int) {
	if !strings.ContainsAny(line, "0123456789") {
		return -1, 0
	}
	line = plainSpaces.Replace(line)
	if m := countOf.FindStringSubmatch(line); m != nil {
		return wholeNumber(m[1]), 3
	}
	m := countOne.FindStringSubmatch(line)
	if m == nil || roomCount.MatchString(m[2]) {
		return -1, 0
	}
	if heading {
		return wholeNumber(m[1]), 4
	}
	return wholeNumber(m[1]), 1
}

func wholeNumber(s string) int {
	n, err := strconv.Atoi(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s))
	if err != nil {
		return -1
	}
	return n
}

// count finds the page's own count of results among the lines outside of cards,
// links and menus; -1 when it shows none.
func (g *ground) count(blocks []block, cards []card) (total int, sure bool) {
	total, rank := -1, 0
	for _, b := range blocks {
		if len(b.text) > 120 || b.chrome || b.link || g.inCard(cards, b.at) {
			continue
		}
		if n, r := counted(b.text, b.heading); r > rank && n >= 0 {
			total, rank = n, r
		}
	}
	return total, rank >= 3
}

// inCard says whether a node lies in one of the cards, which stand in page order.
func (g *ground) inCard(cards []card, i int) bool {
	n, found := slices.BinarySearchFunc(cards, i, func(c card, i int) int { return cmp.Compare(c.root, i) })
	return found || n > 0 && g.within(i, cards[n-1].root)
}

// block is one visible line of the page.
type block struct {
	text                  string
	at                    int // node of its last text
	heading, link, chrome bool
}

// blocks are the page's visible lines, with where they stand.
func (g *ground) blocks() []block {
	var out []block
	var line strings.Builder
	last := 0
	flush := func() {
		if text := clean(line.String()); text != "" {
			in := func(ok func(n *node) bool) bool { return g.ancestor(last, ok) >= 0 }
			out = append(out, block{
				text: text, at: last, chrome: g.chromed[last], heading: in(isHeading),
				link: in(func(n *node) bool { return n.Tag == "a" || n.Tag == "button" || n.Tag == "label" || n.Tag == "option" }),
			})
		}
		line.Reset()
	}
	for i := range g.Nodes {
		if g.Nodes[i].Tag != "" {
			continue
		}
		if line.Len() > 0 && g.blockBetween(last, i) {
			flush()
		}
		g.join(&line, i)
		last = i
	}
	flush()
	return out
}
