package browser

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// fields reads what a card shows, by meaning and not by class names. What is not
// shown stays empty.
func (g *ground) fields(c card, base *url.URL, where place, now time.Time) monitor.Listing {
	lines := g.lines(c.root)
	l := monitor.Listing{URL: listingURL(c.link.url), Canonical: c.link.canonical}
	l.Price = g.price(c, append(g.rawLines(c.root), pairs(lines)...), where)
	l.AreaM2 = firstOf(append(lines, pairs(lines)...), parseArea)
	l.Rooms = g.rooms(c, append(lines, pairs(lines)...))
	l.Address = g.address(c, lines)
	l.Title = g.title(c, lines, l.Address)
	l.Photo = g.photo(c, base)
	l.Published = g.published(c, g.rawLines(c.root), now)
	return l
}

// listingURL is the link to be opened: the page's own, without what tracks.
func listingURL(u *url.URL) string {
	out := *u
	if out.RawQuery != "" {
		var keep []string
		for pair := range strings.SplitSeq(out.RawQuery, "&") {
			name, value, _ := strings.Cut(pair, "=")
			if name != "" && value != "" && !tracking.MatchString(strings.TrimLeft(name, "?")) {
				keep = append(keep, pair)
			}
		}
		out.RawQuery = strings.Join(keep, "&")
	}
	if !strings.Contains(canonical(u), "#") {
		out.Fragment, out.RawFragment = "", ""
	}
	return out.String()
}

// pairs joins a label and its number where they stand on lines of their own:
// "Zimmer" above "3", or "3" above "rooms".
func pairs(lines []string) []string {
	var out []string
	for i, line := range lines {
		if !fieldLabel.MatchString(line) {
			continue
		}
		switch {
		case i > 0 && bareNumber.MatchString(lines[i-1]) && (i < 2 || !fieldLabel.MatchString(lines[i-2])):
			out = append(out, lines[i-1]+" "+line)
		case i+1 < len(lines) && (bareNumber.MatchString(lines[i+1]) || len(lines[i+1]) < 30 && hasMoney(lines[i+1])):
			out = append(out, strings.TrimRight(line, ": ")+" "+lines[i+1])
		}
	}
	return out
}

var (
	fieldLabel = regexp.MustCompile(`(?i)^(?:(?:bed)?rooms?|beds?|zimmer|räume|kamers|slaapkamers|habitaciones|dormitorios|locali|vani|pi[eè]ces|chambres|pokoje|rum|(?:living |floor )?area|size|(?:wohn)?fläche|oppervlakte|superfic\S+|surface|(?:kalt|warm|gesamt)?miete|(?:kauf)?preis|price|rent|huurprijs|prix|loyer|precio|prezzo):?$`)
	bareNumber = regexp.MustCompile(`^\d{1,4}(?:[.,]\d{1,2})?(?:\s?-\s?\d{1,4})?$`)
)

func firstOf(lines []string, parse func(string) float64) float64 {
	for _, line := range lines {
		if !strings.ContainsAny(line, "0123456789") {
			continue
		}
		if v := parse(line); v > 0 {
			return v
		}
	}
	return 0
}

// price is the first that the card shows. Short lines speak before long ones,
// which are descriptions and name deposits, charges and instalments as well.
func (g *ground) price(c card, lines []string, where place) monitor.Price {
	lines = g.withoutOldPrices(c, lines)
	for _, long := range []bool{false, true} {
		for _, line := range lines {
			if len(line) > 60 != long {
				continue
			}
			if p, ok := parsePrice(line, where); ok {
				if p.Period == "" {
					p.Period = labelled(lines)
				}
				return p
			}
		}
	}
	for _, line := range lines {
		if line = clean(line); onRequest.MatchString(line) {
			return monitor.Price{Text: line}
		}
	}
	return monitor.Price{}
}

// withoutOldPrices leaves out what is struck through.
func (g *ground) withoutOldPrices(c card, lines []string) []string {
	var old []string
	for i := c.root; i < g.Nodes[c.root].end; i++ {
		if n := &g.Nodes[i]; n.Tag == "s" || n.Tag == "del" || n.Tag == "strike" || oldPrice.MatchString(n.Hint) {
			old = append(old, g.rawLines(i)...)
		}
	}
	if len(old) == 0 {
		return lines
	}
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		for _, o := range old {
			line = strings.Replace(line, o, "", 1)
		}
		out = append(out, line)
	}
	return out
}

var oldPrice = regexp.MustCompile(`(?i)old-?price|price-?old|strike|line-?through|previous-?price|was-?price`)

// labelled is the period that a label elsewhere in the card names.
func labelled(lines []string) monitor.Period {
	for _, line := range lines {
		switch {
		case len(line) > 40:
		case rentLabel.MatchString(line):
			return monitor.Month
		case saleLabel.MatchString(line):
			return monitor.Total
		}
	}
	return ""
}

var (
	rentLabel = regexp.MustCompile(`(?i)^(?:(?:kalt|warm|gesamt|netto|brutto)?miete|huur(?:prijs)?|(?:monthly )?rent|loyer|alquiler|affitto|canone|czynsz|hyra|leje|husleie)\b`)
	saleLabel = regexp.MustCompile(`(?i)^(?:kaufpreis|koopprijs|vraagprijs|koopsom|prix de vente|guide price|asking price|offers (?:over|in))`)
)

var onRequest = regexp.MustCompile(`(?i)^(prijs|price|preis|prix|precio|prezzo|huurprijs)?\s*(op aanvraag|on (request|application)|auf anfrage|sur demande|a consultar|su richiesta|nader overeen te komen|poa|p\.o\.a\.)\.?$`)

var (
	areaMetric   = regexp.MustCompile(`(?i)(?:^|[^\d.,])(\d{1,3}(?:[.,' ]\d{3})+|\d{1,5}(?:[.,]\d{1,2})?)\s*(?:-\s*\d+(?:[.,]\d+)?\s*)?(?:m²|m2\b|m\^2|sqm\b|sq\.?\s?m(?:etres|eters|\b)|qm\b|mq\b|kvm\b|м²)`)
	areaImperial = regexp.MustCompile(`(?i)(?:^|[^\d.,])(\d{1,3}(?:,\d{3})+|\d{2,6})\s*(?:sq\.?\s?\.?\s?f(?:ee)?t|sqft|ft²|square feet|sf\b)`)
)

// squareFoot is one square foot in m², by definition of the foot.
const squareFoot = 0.09290304

// parseArea reads an area in m². Prices per square metre are none.
func parseArea(line string) float64 {
	line = plainSpaces.Replace(line)
	for _, at := range areaMetric.FindAllStringSubmatchIndex(line, -1) {
		if v, ok := parseNumber(line[at[2]:at[3]]); ok && v >= 4 && v < 1e5 {
			return v
		}
	}
	if m := areaImperial.FindStringSubmatch(line); m != nil {
		if v, ok := parseNumber(m[1]); ok && v >= 40 {
			return float64(int(v*squareFoot*10+0.5)) / 10
		}
	}
	return 0
}

var (
	roomsBehind = regexp.MustCompile(`(?i)(?:^|[^\d.,])(\d{1,2}(?:[.,]5|½)?)\+?\s*-?\s*(?:bed(?:room)?s?\b|br\b|bd\b|rooms?\b|zimmer\b|zi\b|kamers?\b|slaapkamers?\b|hab(?:itaci\S+)?\b|dorm(?:itori\S+|s)?\b|quartos?\b|camer[ae]\b|local[ei]\b|vani\b|pi[eè]ces?\b|chambres?\b|pok(?:oje|oi|ój|\.)|rum\b|rok\b|roms?\b|v[æa]r(?:else)?r?\b|soverom|sovrum|huone|h\b)`)
	roomsBefore = regexp.MustCompile(`(?i)^(?:number of |anzahl |aantal )?(?:bedrooms?|beds?|rooms?|zimmer|kamers|habitaciones|camere|locali|pi[eè]ces)\s*:?\s*(\d{1,2}(?:[.,]5)?)(?:\s?-\s?\d+)?$`)
)

// parseRooms reads the number of rooms or bedrooms, whichever is shown.
func parseRooms(line string) float64 {
	for _, pattern := range []*regexp.Regexp{roomsBehind, roomsBefore} {
		if m := pattern.FindStringSubmatch(line); m != nil {
			v, err := strconv.ParseFloat(strings.NewReplacer(",", ".", "½", ".5").Replace(m[1]), 64)
			if err == nil && v > 0 && v <= 30 {
				return v
			}
		}
	}
	return 0
}

func (g *ground) rooms(c card, lines []string) float64 {
	if v := firstOf(lines, parseRooms); v > 0 {
		return v
	}
	for i := c.root; i < g.Nodes[c.root].end; i++ {
		if v := parseRooms(g.Nodes[i].Label); v > 0 && len(g.Nodes[i].Label) < 40 {
			return v
		}
	}
	return 0
}

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

// photo is the first picture that is neither a placeholder nor an icon.
func (g *ground) photo(c card, base *url.URL) string {
	for i := c.root; i < g.Nodes[c.root].end; i++ {
		n := &g.Nodes[i]
		for _, source := range n.Images {
			if u := picture(source, base); u != "" {
				return u
			}
		}
		if m := noscriptSource.FindStringSubmatch(n.Noscript); m != nil {
			if u := picture(strings.ReplaceAll(m[1], "&amp;", "&"), base); u != "" {
				return u
			}
		}
		if m := background.FindStringSubmatch(n.Style); m != nil {
			if u := picture(m[1], base); u != "" {
				return u
			}
		}
	}
	return ""
}

var (
	noscriptSource = regexp.MustCompile(`(?i)<(?:img|source)[^>]*?\s(?:src|srcset)\s*=\s*["']([^"']+)["']`)
	background     = regexp.MustCompile(`url\(\s*["']?([^"')]+)["']?\s*\)`)
	noPicture      = regexp.MustCompile(`(?i)placeholder|blank\.|spacer|pixel|loading|spinner|lazy\.|/icons?/|icon[-_.]|sprite|logo|avatar|badge|arrow|chevron|camera|no[-_]?(?:photo|image|foto)|\.svg(?:\?|$)|1x1`)
)

// picture is the absolute address of a picture, of the largest in a srcset; ""
// for a placeholder.
func picture(source string, base *url.URL) string {
	source = strings.TrimSpace(source)
	if source == "" || strings.HasPrefix(source, "data:") {
		return ""
	}
	best, width := "", -1.0
	for _, candidate := range splitSrcset(source) {
		address, size, _ := strings.Cut(candidate, " ")
		w, _ := strconv.ParseFloat(strings.TrimRight(strings.TrimSpace(size), "wx"), 64)
		if w > width {
			best, width = address, w
		}
	}
	u, err := url.Parse(best)
	if err != nil {
		return ""
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	if u.Scheme != "http" && u.Scheme != "https" || noPicture.MatchString(u.Path) {
		return ""
	}
	return u.String()
}

// splitSrcset parts the candidates of a srcset. A comma inside an address has no
// space behind it.
func splitSrcset(source string) []string {
	var out []string
	for part := range strings.SplitSeq(source, ", ") {
		if part = strings.Trim(part, " ,\n\t"); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// published is when the listing appeared, as far as the card says so.
func (g *ground) published(c card, lines []string, now time.Time) time.Time {
	for i := c.root; i < g.Nodes[c.root].end; i++ {
		n := &g.Nodes[i]
		if v := n.Data["listing-days-old"]; v != "" {
			if days, err := strconv.Atoi(v); err == nil && days >= 0 {
				return now.AddDate(0, 0, -days)
			}
		}
		if n.Tag == "time" {
			for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
				if at, err := time.Parse(layout, n.Value); err == nil && at.Before(now.AddDate(0, 0, 1)) && at.After(now.AddDate(-3, 0, 0)) {
					return at
				}
			}
		}
	}
	for _, line := range lines {
		for piece := range strings.SplitSeq(line, seam) {
			if at, ok := parsePublished(clean(piece), now); ok {
				return at
			}
		}
	}
	return time.Time{}
}
