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
	`|träffar|resultat|bostäder|annonser|resultater|boliger|lejeboliger|annoncer|treff|výsledků|nabídek|inzerátů|bytů|ponúk|találat|hirdetés|ingatlan|ilmoitus(?:ta)?|asuntoa|kohdetta|tulosta|anunțuri|rezultate|ilan|sonuç|αγγελίες|αποτελέσματα` +
	`|объявлени[йея]|предложени[йея]|квартир[аы]?|результат(?:ов|а)?|оголошен(?:ь|ня)|пропозиці[йїя]|результатів)`

var (
	countOf  = regexp.MustCompile(`(?i)\b\d[\d.,' ]*\s*(?:-|–|to|tot|bis|a|à|al|do|till)\s*\d[\d.,' ]*\s*(?:of|van|von|de|di|sur|z|av|af|out of)\s*(?:about |over |ca\. )?(\d[\d.,' ]*)\+?`)
	countOne = newSieve(`(?i)(?:^|[^\d.,'\pL])(\d{1,3}(?:[.,' ]\d{3})+|\d{1,6})\+?\s+((?:\pL+[ -]){0,4}?)` + countNoun + `(?:[^\pL]|$)`)
	// found are words before a count that make it the search's own: "We found 12 rooms".
	found = regexp.MustCompile(`(?i)^(?:\pL+ ){0,2}(?:found|haben|vonden|encontrado|encontramos|trovato|trouvé|znaleźliśmy|znaleziono|našli(?: jsme| sme)?|hittade|fant|fandt|löysimme|találtunk|găsit|bulundu|βρήκαμε|βρέθηκαν|нашли|найдено|знайшли|знайдено)$`)
	// roomCount are words between a number and a noun that make it a size: "2
	// bedroom flats" are not two results.
	roomCount = regexp.MustCompile(`(?i)\b(?:bed(?:room)?s?|rooms?|zimmer|zi|kamers?|slaapkamers?|hab\w*|dormitorios?|local[ei]|pi[eè]ces?|pok\w*|rum|m|km|min\w*|days?|hours?|years?|months?|weeks?|per|or|to|new|neue|nieuwe)\b`)
)

// counted reads the page's own count of results from a line, and how sure it is:
// 4 in a heading, 3 in "1 to 20 of 57", 2 at the beginning of a line, 1 behind a
// few words. It is -1 without one.
func counted(line string, heading bool) (total, sure int) {
	if !strings.ContainsAny(line, "0123456789") {
		return -1, 0
	}
	line = plainSpaces.Replace(line)
	if m := countOf.FindStringSubmatch(line); m != nil {
		return wholeNumber(m[1]), 3
	}
	at := countOne.FindStringSubmatchIndex(line)
	if at == nil || roomCount.MatchString(line[at[4]:at[5]]) {
		return -1, 0
	}
	lead, n := strings.TrimSpace(line[:at[2]]), wholeNumber(line[at[2]:at[3]])
	switch {
	case found.MatchString(lead) && len(lead) <= 40:
		return n, 3
	case strings.HasSuffix(lead, "-") || strings.HasSuffix(lead, "/") || strings.Contains(lead, "©"):
		return -1, 0 // the end of a span of years, or of a date
	case heading:
		return n, 4
	case lead == "" || strings.HasSuffix(lead, ":") || strings.HasSuffix(lead, "("):
		return n, 2
	case len(lead) > 25:
		return -1, 0
	}
	return n, 1
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

// facets are how many different counts a page may show outside of headings before
// they are taken for the counts of its filters.
const facets = 2

// count finds the page's own count of results among the lines outside of cards,
// links and menus; -1 when it shows none. Beside cards a zero outside of a heading
// is a template that waits for its time.
func (g *ground) count(blocks []block, cards []card) (total int, sure bool) {
	total, rank := -1, 0
	unsure := map[int]bool{}
	for _, b := range blocks {
		if len(b.text) > 120 || b.chrome || b.link || g.inCard(cards, b.at) {
			continue
		}
		n, r := counted(b.text, b.heading)
		if n < 0 || n == 0 && (b.apart || len(cards) > 0 && !b.heading || r != 3 && !saysNone(b.text)) {
			continue
		}
		if r < 3 {
			unsure[n] = true
		}
		if r > rank {
			total, rank = n, r
		}
	}
	if rank < 3 && len(unsure) > facets {
		return -1, false
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
	apart                 bool // under a headline of something else: saved homes, homes seen before
}

// blocks are the page's visible lines, with where they stand.
func (g *ground) blocks() []block {
	var out []block
	var line strings.Builder
	last, apart := 0, false
	flush := func() {
		if text := clean(line.String()); text != "" {
			in := func(ok func(n *node) bool) bool { return g.ancestor(last, ok) >= 0 }
			heading := in(isHeading)
			if heading {
				apart = notThisSearch.MatchString(statement(text)) || other.MatchString(text)
			}
			out = append(out, block{
				text: text, at: last, chrome: g.chromed[last], heading: heading, apart: apart,
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
		last = i
		g.join(&line, i, flush)
	}
	flush()
	return out
}
