package browser

import (
	"regexp"
	"strings"

	"notifio.app/notifio/monitor"
)

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

const oldPriceWords = `old-?price|price-?old|strike|line-?through|previous-?price|was-?price`

var oldPrice = regexp.MustCompile(`(?i)` + oldPriceWords)

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
