package browser

import (
	"regexp"
	"slices"
	"strings"
)

// other are the headings of homes that the search did not find: similar ones,
// ones elsewhere, ones seen before or let already, a partner's.
var other = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`\b(?:similar|comparable|related|suggested|recommended|alternative) (?:\w+ ){0,2}(?:homes?|rooms?|propert\w+|listings?|rentals?|apartments?|flats?|results?|ads?|places|searches|to your)`,
	`you (?:may|might|could) (?:also )?(?:like|be interested)|recommend(?:ed|ations) for you|people also viewed|recently (?:viewed|seen|let|rented|sold|closed)|last (?:viewed|week)|previously (?:let|rented)`,
	`(?:results?|homes|rooms|propert\w+|listings|rentals|apartments) (?:just )?(?:outside|beyond|near ?by|in (?:the )?(?:surrounding|neighbou?ring|nearby))|outside (?:of )?(?:your|the|this) (?:area|search)|nearby (?:homes|rooms|propert\w+|listings|areas)|(?:expand|widen)\w* (?:your )?search|from our partners?|partner (?:offers|listings|homes|results)`,
	`vergelijkbare|soortgelijke|misschien ook|ook interessant|aanbevolen|in de omgeving|in de buurt van je|laatst bekeken|recent (?:bekeken|verhuurd)|(?:al|onlangs) verhuurd|buiten (?:je|uw|het) (?:zoek|gebied)|vorige week|van onze partners?|andere (?:woningen|kamers|huizen|aanbod)`,
	`ähnliche|vergleichbare|(?:das )?könnte (?:sie|dich|dir|ihnen) auch|auch interessant|zuletzt (?:angesehen|besucht)|(?:in der|aus der|weitere .{0,30}) umgebung|außerhalb (?:ihr|dein|des)|empfohlen|empfehlung|letzte woche|von (?:unseren )?partnern?|bereits vermietet|weitere (?:interessante|passende)`,
	`similares|parecid[oa]s|te puede(?:n)? interesar|también te|recomendad|(?:cerca|próxim)\w* (?:de|a) (?:tu|la) (?:zona|búsqueda)|otros (?:pisos|anuncios|inmuebles)|fuera de (?:tu|la) (?:zona|búsqueda)|vistos recientemente`,
	`\bsimili\b|potrebbe(?:ro)? interessart|nelle vicinanze|fuori (?:dalla )?zona|visti di recente|altri annunci|consigliat`,
	`annonces? (?:similaires?|suggérée?s?)|biens similaires|à proximité|susceptibles? de|vous (?:aimer|plair)|pourraient? (?:aussi )?vous|hors de (?:votre|la) zone|consultée?s récemment|nos partenaires`,
	`podobne|polecane|mog[ąa] (?:ci|cię) (?:się )?(?:spodobać|zainteresować)|w okolicy|poza obszarem|ostatnio oglądane`,
	`liknande|andra (?:bostäder|sökte)|lignende|tilsvarende|andre (?:boliger|så)|semelhantes|podobné|hasonló`,
}, "|"))

// parted marks the cards of homes that the search did not find. When that would
// be all of them, the page means something else by its heading.
func (g *ground) parted(cards []card, w words) []card {
	away := g.adrift(cards)
	if w.sure {
		for i, beyond := range g.beyondCount(cards, w.total) {
			away[i] = away[i] || beyond
		}
	}
	if w.none == "" && !slices.Contains(away, false) {
		return cards
	}
	out := slices.Clone(cards)
	for i := range out {
		out[i].other = away[i]
	}
	return out
}

// adrift marks the cards that stand in a part of the page with the heading of
// other homes. A heading holds until the next one; in front of the first card
// only the nearest counts.
func (g *ground) adrift(cards []card) []bool {
	out := make([]bool, len(cards))
	inside := make([]bool, len(g.Nodes))
	for _, c := range cards {
		for i := c.root; i < g.Nodes[c.root].end; i++ {
			inside[i] = true
		}
	}
	next, away := 0, false
	for i := 0; i < len(g.Nodes) && next < len(cards); i++ {
		if i == cards[next].root {
			for next < len(cards) && cards[next].root == i {
				out[next] = away
				next++
			}
			continue
		}
		n := &g.Nodes[i]
		if inside[i] || n.Tag == "" || n.Hidden != 0 || g.chromed[i] || len(g.linksIn(i)) > 3 || g.tally(g.letters, i) > 200 {
			continue
		}
		if isHeading(n) {
			away = other.MatchString(g.text(i))
			continue
		}
		// A line between two cards may be a heading without being marked up as one.
		if next > 0 && g.tally(g.letters, i) > 8 && g.tally(g.letters, i) <= 120 && other.MatchString(g.text(i)) {
			away = true
		}
	}
	return out
}

// beyondCount marks the cards behind the last one that the page counts: below a
// heading of "6 results" the seventh card is something else, where a break
// between the two shows it.
func (g *ground) beyondCount(cards []card, total int) []bool {
	out := make([]bool, len(cards))
	if total <= 0 || len(cards) <= total {
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
