package browser

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"notifio.app/notifio/monitor"
)

// paidLabels are the words by which portals say that a card is paid for.
var paidLabels = []string{
	`sponsored`, `promoted`, `featured(?: (?:property|listing|home|ad))?`, `ad`, `advert`, `advertisement`,
	`gesponsord`, `advertentie`, `topadvertentie`, `top ad`, `uitgelicht`,
	`gesponsert`, `(?:top-?)?anzeige`, `werbung`,
	`patrocinado`, `destacado`, `publicidad`, `promocionado`,
	`sponsorizzato`, `in (?:evidenza|vetrina)`, `pubblicità`,
	`sponsorisée?`, `annonce sponsorisée`, `à la une`, `publicité`,
	`wyróżnione`, `promowane`, `sponsorowane`, `reklama`,
	`sponzorováno`, `topováno`,
	`sponsrad`, `annons`, `sponset`, `annonse`, `betalt plassering`, `sponsoreret`, `annonce`,
	`destaque`, `publicidade`, `promovido`,
}

// letLabels are the words by which a card says that its home is no longer to be
// had, or promised to somebody.
var letLabels = []string{
	`(?:now )?let(?: agreed| stc)?`, `rented(?: out)?`, `leased`, `reserved`, `under (?:offer|option|application)`, `sold(?: stc| subject to contract)?`,
	`no longer available`,
	`(?:verhuurd|verkocht)(?: onder voorbehoud)?`, `onder (?:optie|bod)`, `gereserveerd`,
	`vermietet`, `reserviert`, `verkauft`, `vergeben`,
	`alquilad[oa]`, `reservad[oa]`, `vendid[oa]`,
	`affittat[oa]`, `prenotat[oa]`, `opzionat[oa]`, `vendut[oa]`,
	`louée?`, `réservée?`, `vendue?`, `sous (?:offre|option|compromis)`,
	`arrendad[oa]`, `alugad[oa]`,
	`wynajęt[eay]`, `zarezerwowan[eay]`, `sprzedan[eay]`,
	`pronajat[oaýé]`, `rezervován[oaýé]?`, `prodán[oaýé]?`,
	`uthyrd`, `reserverad`, `såld`, `utleid`, `reservert`, `solgt`, `udlejet`, `reserveret`,
}

var paidLabel, letLabel = newLabel(paidLabels), newLabel(letLabels)

// newLabel matches a label that is one of these words and nothing else.
func newLabel(words []string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:` + strings.Join(words, "|") + `)$`)
}

// longestLabel is how long a label is at most, in bytes of its text. The longest
// words above have 24 letters.
const longestLabel = 40

// labelled marks the listings whose cards have a label of their own that says that
// they are paid for, or let. A word for paid cards that stands on half of the cards
// or more says nothing: a classifieds site calls each of its cards an "Anzeige".
func (g *ground) labelled(cards []card, listings []monitor.Listing) {
	paid := map[string][]int{}
	for i, c := range cards {
		for _, text := range g.labels(c.root) {
			if letLabel.MatchString(text) {
				listings[i].Let = true
			} else if paidLabel.MatchString(text) {
				low := strings.ToLower(text)
				paid[low] = append(paid[low], i)
			}
		}
	}
	for _, on := range paid {
		if on = slices.Compact(on); 2*len(on) < len(cards) {
			for _, i := range on {
				listings[i].Promoted = true
			}
		}
	}
}

// labels are the short texts of a card that have an element of their own. A
// headline is none, nor is the name of a fact ("Let agreed: no"), nor a word that
// is emphasised in a sentence.
func (g *ground) labels(root int) []string {
	var out []string
	for i := root + 1; i < g.Nodes[root].end; i++ {
		n := &g.Nodes[i]
		letters := g.tally(g.letters, i)
		if n.Hidden != 0 || letters == 0 {
			i = n.end - 1
			continue
		}
		if n.Tag == "" || letters > longestLabel {
			continue
		}
		h := g.ancestor(i, isHeading)
		headline := h > root && g.tally(g.letters, h) == letters || g.tally(g.heading, i) > 0
		if headline || g.ancestor(i, isFactName) > root || g.inSentence(i) {
			continue
		}
		if text := g.text(i); !strings.HasSuffix(text, ":") {
			out = append(out, strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }))
		}
	}
	return out
}

func isFactName(n *node) bool { return n.Tag == "dt" || n.Tag == "th" }

// inSentence says whether text runs on beside node i, in an element that is neither
// a headline nor a link.
func (g *ground) inSentence(i int) bool {
	p := g.Nodes[i].Parent
	return inline[g.Nodes[i].Tag] && p >= 0 && g.Nodes[p].Tag != "a" && !isHeading(&g.Nodes[p]) &&
		slices.ContainsFunc(g.children(p), func(c int) bool {
			return g.Nodes[c].Tag == "" && strings.ContainsFunc(g.Nodes[c].Text, unicode.IsLetter)
		})
}
