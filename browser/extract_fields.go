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
	l.Price = g.price(c, lines, where)
	l.AreaM2 = firstOf(lines, parseArea)
	l.Rooms = g.rooms(c, lines)
	l.Address = g.address(c, lines)
	l.Title = g.title(c, lines, l.Address)
	l.Photo = g.photo(c, base)
	l.Published = g.published(c, lines, now)
	return l
}

// listingURL is the link to be opened: the page's own, without what tracks.
func listingURL(u *url.URL) string {
	out := *u
	if out.RawQuery != "" {
		var keep []string
		for pair := range strings.SplitSeq(out.RawQuery, "&") {
			name, _, _ := strings.Cut(pair, "=")
			if name != "" && !tracking.MatchString(strings.TrimLeft(name, "?")) {
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

func firstOf(lines []string, parse func(string) float64) float64 {
	for _, line := range lines {
		if v := parse(line); v > 0 {
			return v
		}
	}
	return 0
}

// price is the card's: the first with a period, else the first with a currency.
func (g *ground) price(c card, lines []string, where place) monitor.Price {
	var first monitor.Price
	for _, line := range lines {
		for _, p := range parsePrices(line, where) {
			if p.Period != "" {
				return p
			}
			if first.Amount == 0 {
				first = p
			}
		}
	}
	if first.Amount == 0 {
		for _, line := range lines {
			if onRequest.MatchString(line) {
				return monitor.Price{Text: line}
			}
		}
	}
	return first
}

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
	roomsBefore = regexp.MustCompile(`(?i)\b(?:bedrooms?|beds?|rooms?|zimmer|kamers|habitaciones|camere|locali|pi[eè]ces)\s*:?\s*(\d{1,2}(?:[.,]5)?)(?:[^\d]|$)`)
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
		if len(line) <= 120 && postcode.MatchString(line) && !moneySign.MatchString(line) {
			return line
		}
	}
	for _, line := range lines {
		if len(line) <= 90 && townLine.MatchString(line) && !moneySign.MatchString(line) && !areaSign.MatchString(line) {
			return line
		}
	}
	return ""
}

var (
	postcode = regexp.MustCompile(`\b\d{4}\s?[A-Z]{2}\b|\b[A-Z]{1,2}\d[A-Z\d]?(?:\s\d[A-Z]{2})?\b|\b\d{4,5}\s+\p{Lu}\pL+|\b\d{2}-\d{3}\s+\p{Lu}|\b\d{3}\s\d{2}\s+\p{Lu}`)
	townLine = regexp.MustCompile(`^\p{Lu}[^.!?:|]{2,50},\s*\p{Lu}[^.!?:|]{1,40}$`)
)

// title is the card's headline, else the text of the link to the listing, else
// a label, else the address.
func (g *ground) title(c card, lines []string, address string) string {
	end := g.Nodes[c.root].end
	for i := c.root; i < end; i++ {
		if isHeading(&g.Nodes[i]) && g.Nodes[i].Hidden == 0 {
			if text := g.text(i); worthy(text) {
				return text
			}
		}
	}
	best := ""
	for _, l := range c.link.nodes {
		if !g.within(l, c.root) {
			continue
		}
		for _, text := range g.lines(l) {
			if worthy(text) && (best == "" || len(best) < 8) {
				best = text
			}
		}
	}
	for _, l := range c.link.nodes {
		if best == "" && g.within(l, c.root) && worthy(clean(g.Nodes[l].Label)) {
			best = clean(g.Nodes[l].Label)
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

// worthy says whether a text can be a title: it has words in it, and it is more
// than a price or a photo counter.
func worthy(text string) bool {
	letters := 0
	for _, r := range text {
		if r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= 0xC0 {
			letters++
		}
	}
	return letters >= 3 && !onlyMoney.MatchString(text)
}

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
		if age, ok := parseAge(line); ok {
			return now.Add(-age)
		}
	}
	return time.Time{}
}

const day = 24 * time.Hour

var (
	justNow  = regexp.MustCompile(`(?i)\b(?:added|listed|posted|published|new|online|geplaatst|aangeboden|eingestellt|publicado|ajouté|publié|aggiunto|inserito|dodano)?\s*(today|vandaag|heute|hoy|aujourd'hui|oggi|dzisiaj|dziś|idag|i dag|just now|zojuist|gerade eben)\b`)
	lastDay  = regexp.MustCompile(`(?i)\b(yesterday|gisteren|gestern|ayer|hier|ieri|wczoraj|igår|i går)\b`)
	someTime = regexp.MustCompile(`(?i)\b(\d{1,3})\s*(min|hour|hr|uur|stunde|hora|heure|ora|ore|godzin|day|dag|tag|día|dia|jour|giorn|dni|week|woche|semana|semaine|settiman)\pL*`)
	reduced  = regexp.MustCompile(`(?i)reduced|verlaagd|reduziert|baja|updated|available|beschikbaar|frei ab`)
)

// parseAge reads how long ago a listing appeared: "Added today", "13 horas".
func parseAge(line string) (time.Duration, bool) {
	if len(line) > 60 || reduced.MatchString(line) {
		return 0, false
	}
	if justNow.MatchString(line) {
		return 0, true
	}
	if lastDay.MatchString(line) {
		return day, true
	}
	m := someTime.FindStringSubmatch(line)
	if m == nil || len(line) > 40 {
		return 0, false
	}
	n, _ := strconv.Atoi(m[1])
	unit := time.Hour
	switch u := strings.ToLower(m[2]); {
	case u == "min":
		unit = time.Minute
	case strings.HasPrefix("week woche semana semaine settiman", u), strings.Contains("week woche semana semaine settiman", u):
		unit = 7 * day
	case strings.Contains("day dag tag día dia jour giorn dni", u):
		unit = day
	}
	return time.Duration(n) * unit, true
}
