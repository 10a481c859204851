package browser

import "slices"

// otherRows are the headings of homes that the search did not find: similar ones,
// ones elsewhere, ones seen before or let already, a partner's.
var otherRows = []string{
	`\b(?:similar|comparable|related|suggested|recommended|alternative) (?:\w+ ){0,2}(?:homes?|rooms?|propert\w+|listings?|rentals?|apartments?|flats?|results?|ads?|places|searches|to your)`,
	`you (?:may|might|could) (?:also )?(?:like|be interested)|recommend(?:ed|ations) for you|people also viewed|recently (?:viewed|seen|let|rented|sold|closed)|last (?:viewed|week)|previously (?:let|rented)`,
	`(?:results?|homes|rooms|propert\w+|listings|rentals|apartments) (?:just )?(?:outside|beyond|near ?by|in (?:the )?(?:surrounding|neighbou?ring|nearby))|outside (?:of )?(?:your|the|this) (?:area|search)|nearby (?:homes|rooms|propert\w+|listings|areas)|(?:expand|widen)\w* (?:your )?search|from our partners?|partner (?:offers|listings|homes|results)`,
	`vergelijkbare|soortgelijke|misschien ook|ook interessant|aanbevolen|in de omgeving|in de buurt van je|laatst (?:bekeken|gezien)|recent (?:bekeken|verhuurd)|(?:al|onlangs) verhuurd|buiten (?:je|uw|het) (?:zoek|gebied)|vorige week|van onze partners?|andere (?:woningen|kamers|huizen|aanbod)`,
	`ähnliche|vergleichbare|(?:das )?könnte (?:sie|dich|dir|ihnen) auch|auch interessant|zuletzt (?:angesehen|besucht|gesehen)|(?:in der|aus der|weitere .{0,30}) umgebung|außerhalb (?:ihr|dein|des)|empfohlen|empfehlung|letzte woche|von (?:unseren )?partnern?|bereits vermietet|weitere (?:interessante|passende)`,
	`similares|parecid[oa]s|te puede(?:n)? interesar|también te|recomendad|(?:cerca|próxim)\w* (?:de|a) (?:tu|la) (?:zona|búsqueda)|otros (?:pisos|anuncios|inmuebles)|fuera de (?:tu|la) (?:zona|búsqueda)|vistos recientemente|últim\S+ (?:vist|visitad)`,
	`\bsimili\b|potrebbe(?:ro)? interessart|nelle vicinanze|fuori (?:dalla )?zona|visti di recente|ultimi (?:visti|visualizzati)|altri annunci|consigliat`,
	`annonces? (?:similaires?|suggérée?s?)|biens similaires|à proximité|susceptibles? de|vous (?:aimer|plair)|pourraient? (?:aussi )?vous|hors de (?:votre|la) zone|consultée?s récemment|derniers? (?:biens )?(?:vus|consultés)|nos partenaires`,
	`podobne|polecane|mog[ąa] (?:ci|cię) (?:się )?(?:spodobać|zainteresować)|w okolicy|poza obszarem|ostatnio oglądane`,
	`liknande|andra (?:bostäder|sökte)|lignende|tilsvarende|andre (?:boliger|så)|semelhantes|podobné|hasonló`,
}

var other = anyOf(otherRows...)

// parted marks the cards of homes that the search did not find. When that would
// be all of them, the page means something else by its heading.
func (g *ground) parted(cards []card, w words) []card {
	away := g.adrift(cards, w)
	if w.sure && ruleBeyond.on() {
		for i, beyond := range g.beyondCount(cards, w.total) {
			away[i] = away[i] || beyond
		}
	}
	if ruleAll.on() && w.none == "" && w.total != 0 && !slices.Contains(away, false) {
		return cards
	}
	out := slices.Clone(cards)
	for i := range out {
		out[i].other = out[i].other || away[i]
	}
	return out
}

// adrift says of each card whether it stands in a part of the page with the
// heading of other homes. A heading holds until the next one.
func (g *ground) adrift(cards []card, w words) []bool {
	out := make([]bool, len(cards))
	next, away := 0, false
	for i := 0; i < len(g.Nodes) && next < len(cards); i++ {
		if i == cards[next].root {
			for ; next < len(cards) && cards[next].root < g.Nodes[i].end; next++ {
				out[next] = away
			}
			i = g.Nodes[i].end - 1
			continue
		}
		text, heading := g.headline(i, cards[next].root)
		counted := w.total >= 0 && next >= w.total
		inside := next > 0 && g.Nodes[cards[next-1].root].Parent == g.Nodes[cards[next].root].Parent
		switch {
		case text == "":
		case inside && !counted && ruleTip.on():
			// What stands in the middle of a list is a tip or an advertisement, unless the
			// page's own count says that the list ends here.
		case heading && ruleHeading.on():
			away = other.MatchString(text)
		case next > 0 && ruleLine.on() && (w.total < 0 || counted):
			away = away || other.MatchString(text) // a heading without the markup of one
		}
	}
	return out
}

// headline is the text of node i when it can stand over the card that follows,
// and whether it is marked up as a heading. What stands in a box of its own with
// more text is the headline of an advertisement.
func (g *ground) headline(i, card int) (text string, heading bool) {
	n := &g.Nodes[i]
	letters := g.tally(g.letters, i)
	if n.Tag == "" || n.Hidden != 0 || g.chromed[i] || letters < 4 || letters > 120 {
		return "", false
	}
	box := i
	for g.Nodes[box].Parent >= 0 && !g.within(card, g.Nodes[box].Parent) {
		box = g.Nodes[box].Parent
	}
	if g.tally(g.letters, box) > letters+100 || len(g.linksIn(box)) > 2 {
		return "", false
	}
	return g.text(i), isHeading(n)
}

// beyondCount marks the cards behind the last one that the page counts: below a
// heading of "6 results" the seventh card is something else, where a break
// between the two shows it. Below "0 results" every card is.
func (g *ground) beyondCount(cards []card, total int) []bool {
	out := make([]bool, len(cards))
	if total == 0 {
		return slices.Repeat([]bool{true}, len(cards))
	}
	if len(cards) <= total {
		return out
	}
	a, b := cards[total-1].root, cards[total].root
	if g.Nodes[a].Parent == g.Nodes[b].Parent && g.Nodes[a].end == b {
		return out
	}
	for i := total; i < len(out); i++ {
		out[i] = true
	}
	return out
}
