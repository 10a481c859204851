package browser

import (
	"regexp"
	"slices"
	"strings"

	"notifio.app/notifio/monitor"
)

// parsePrice reads the price in a text as a card shows it. ok is false when there
// is none.
func parsePrice(text string, where place) (p monitor.Price, ok bool) {
	return cardText{lines: []passage{{text: plainSpaces.Replace(text), numbered: true}}}.amount(where)
}

// price is the rent, or the price, that the card shows.
func (t cardText) price(where place) monitor.Price {
	p, ok := t.amount(where)
	for i := 0; !ok && i < len(t.lines); i++ {
		if text := clean(t.lines[i].text); onRequest.MatchString(text) {
			return monitor.Price{Text: text}
		}
	}
	return p
}

// amount is the best amount of the card.
func (t cardText) amount(where place) (monitor.Price, bool) {
	all := t.judged(&moneyLabels, func(text string) []figure { return moneyFigures(text, where) })
	j, ok := best(all)
	if !ok {
		return monitor.Price{}, false
	}
	p := monitor.Price{Amount: j.amount, AmountMax: j.to, Currency: j.currency, Period: j.period}
	if p.Period == "" {
		p.Period = periodOf(j.label)
	}
	if p.Period == "" && j.class == named {
		p.Period = monitor.Month
	}
	if p.Period == "" && j.class == plain {
		p.Period = t.periodAround()
	}
	if p.Currency == "" {
		p.Currency = currencyIn(j.label, where)
	}
	p.Unsure = j.class == lesser && !(j.passage.loose && p.Period != "") || j.class == plain && p.Period == "" && contested(j, all)
	p.Text = clean(strings.Trim(j.passage.text[j.start:extras(j.passage.text, j.after)], " ,;:(/"+seam))
	return p, true
}

// periodAround is what the amount pays for by a label that stands elsewhere in the
// card.
func (t cardText) periodAround() monitor.Period {
	for _, line := range t.lines {
		if line.numbered || !short(line.text) {
			continue
		}
		if label, _, _ := strings.Cut(line.text, ","); moneyLabels.class(trailer(label)) == named {
			return monitor.Month
		}
	}
	return ""
}

// contested says whether another amount without a label stands beside one, or a
// description is all that names it.
func contested(j judged, all []judged) bool {
	return j.long() || slices.ContainsFunc(all, func(o judged) bool {
		return o.class == plain && !o.bare && !o.long() && o.amount != j.amount && o.amount > 0
	})
}

// extras is the end of what is said of a price behind it: "excl. service costs
// € 145", "+ 200 € NK".
func extras(text string, end int) int {
	if at := extra.FindStringIndex(text[end:]); at != nil {
		return end + at[1]
	}
	return end
}

var (
	extra     = regexp.MustCompile(`(?i)^[\s\x1f,]*\(?(?:\+|(?:e[xk]+[ck]l\pL*|in[ck]l\pL*|zzgl|plus|bills|charges comprises|hors charges|cc|hc|all.?in)(?:[^\pL]|$))[^\x1f|·•;]{0,50}`)
	onRequest = regexp.MustCompile(`(?i)^(?:prijs|price|rent|preis|miete|prix|loyer|precio|prezzo|huurprijs|preço|cena|pris|цена)?[\s:]*(?:op aanvraag|on (?:request|application)|auf anfrage|sur demande|nous consulter|a consultar|sob consulta|su richiesta|trattativa riservata|na (?:zapytanie|vyžádání|dotaz)|info v rk|på (?:forespørsel|förfrågan|anmodning)|la cerere|по запросу|договорная|nader overeen te komen|poa|p\.o\.a\.)\.?$`)
	// offBehind is a word that speaks of the amount before it.
	offBehind = regexp.MustCompile(`(?i)^[\s\x1f]*(?:off|korting|rabatt?|discount|de descuento|di sconto|de remise|cash-?back)(?:[^\pL]|$)`)
)

// isOld says whether an element shows a price that was.
func isOld(n *node) bool {
	return n.Tag == "s" || n.Tag == "del" || n.Tag == "strike" || n.Hint != "" && oldPrice.MatchString(n.Hint)
}

const oldPriceWords = `old-?price|price-?old|strike|line-?through|previous-?price|was-?price`

var oldPrice = regexp.MustCompile(`(?i)` + oldPriceWords)
