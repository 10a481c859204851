package browser

import (
	"regexp"
	"strings"

	"notifio.app/notifio/monitor"
)

// periods are the words for what a price pays for, in the languages of the
// portals. A pattern is held against what stands right behind an amount, and
// then against what stands right before it.
var periods = []struct {
	period monitor.Period
	words  string
}{
	{monitor.Week, `p\.?\s?w\.?|pppw|w(?:ee)?k(?:ly)?|wochen?|wöchentlich|semana(?:l)?|settimana(?:le)?|semaine|hebdo|tydzień|týden|vecka|uge|uke|viikko`},
	{monitor.Month, `p\.?\s?c\.?\s?m\.?|p\.?\s?p\.?\s?m\.?|pppcm|p\.?\s?m\.?|p\.?\s?mnd\.?|mo(?:nth)?(?:ly)?|mth|calendar month|maand(?:elijks)?|mnd|mdr?|monat(?:lich)?|mtl\.?|mon\.?|m[eê]s(?:es)?|mensua(?:l|les)|mese|mensil[ei]|mois|mensuel(?:le)?|mies(?:\.|iąc|ięcznie)?|m-c|mc\.?|mån(?:ad)?|månad(?:en)?|måned(?:en)?|měs(?:\.|íc|íčně)?|mesiac|hó(?:nap)?|lun[aă]|ay(?:lık)?|мес(?:\.|яц)?|kk(?:\.|-vuokra)?|kuukausi|warm|kalt|kaltmiete|warmmiete|miete|rent|loyer|huur(?:prijs)?|alquiler|affitto|czynsz|hyra|leje`},
	{monitor.Night, `p\.?\s?n\.?|night(?:ly)?|nacht|noche|notte|nuit|noc|natt|nat`},
	{monitor.Year, `p\.?\s?a\.?|year(?:ly)?|annum|annual(?:ly)?|yr|jaar|jahr(?:lich)?|jährlich|año|anual|anno|annuo|an(?:née|nuel)?|rok|år`},
	{monitor.Total, `k\.?\s?k\.?|v\.?\s?o\.?\s?n\.?|kosten koper|kaufpreis|total|totaal|gesamt`},
}

const per = `(?:/|\\|per|pro|por|par|al|a|à|je|pr\.?|im|och|na|za|ao|p/|\()`

var (
	periodBehind  = regexp.MustCompile(`(?i)^[.,+]?-{0,2}[\s\x1f]*(?:` + per + `[\s\x1f]*)?(?:` + allPeriods() + `)(?:[^\pL\d]|$)`)
	periodBehinds = compilePeriods(`(?i)^[.,+]?-{0,2}[\s\x1f]*(?:`+per+`[\s\x1f]*)?(?:`, `)(?:[^\pL\d]|$)`)
	periodBefores = compilePeriods(`(?i)(?:^|[^\pL])(?:`, `)[\s:]*(?:from|ab|vanaf|ca\.?)?[\s:]*$`)
	sale          = regexp.MustCompile(`(?i)(?:guide price|offers (?:over|in)|asking price|vraagprijs|kaufpreis|koopprijs|prix de vente|purchase price|fixed price)[^\pL\d]*(?:of)?\s*$`)
)

func allPeriods() string {
	words := make([]string, 0, len(periods))
	for _, p := range periods {
		words = append(words, p.words)
	}
	return strings.Join(words, "|")
}

func compilePeriods(head, tail string) []*regexp.Regexp {
	out := make([]*regexp.Regexp, 0, len(periods))
	for _, p := range periods {
		out = append(out, regexp.MustCompile(head+p.words+tail))
	}
	return out
}

// periodAround finds what the amount between start and end pays for.
func periodAround(text string, start, end int) monitor.Period {
	rest := text[end:]
	for i, p := range periods {
		if periodBehinds[i].MatchString(rest) {
			return p.period
		}
	}
	lead := text[max(0, start-30):start]
	if sale.MatchString(lead) {
		return monitor.Total
	}
	for i, p := range periods {
		if p.period != monitor.Night && periodBefores[i].MatchString(lead) {
			return p.period
		}
	}
	return ""
}

var currencies = map[string]string{
	"€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "gbp": "GBP", "us$": "USD", "usd": "USD",
	"a$": "AUD", "au$": "AUD", "aud": "AUD", "c$": "CAD", "ca$": "CAD", "cad": "CAD", "nz$": "NZD", "nzd": "NZD", "hk$": "HKD", "hkd": "HKD",
	"s$": "SGD", "sgd": "SGD", "r$": "BRL", "brl": "BRL", "mx$": "MXN", "mxn": "MXN", "nt$": "TWD",
	"chf": "CHF", "fr": "CHF", "sfr": "CHF", "zł": "PLN", "zl": "PLN", "pln": "PLN", "kč": "CZK", "czk": "CZK",
	"sek": "SEK", "nok": "NOK", "dkk": "DKK", "isk": "ISK", "ft": "HUF", "huf": "HUF", "lei": "RON", "ron": "RON", "лв": "BGN", "bgn": "BGN",
	"₽": "RUB", "руб": "RUB", "rub": "RUB", "₴": "UAH", "грн": "UAH", "uah": "UAH", "₺": "TRY", "tl": "TRY", "try": "TRY",
	"₹": "INR", "rs": "INR", "inr": "INR", "¥": "JPY", "円": "JPY", "jpy": "JPY", "元": "CNY", "cny": "CNY", "rmb": "CNY", "₩": "KRW", "krw": "KRW",
	"₪": "ILS", "ils": "ILS", "aed": "AED", "zar": "ZAR", "r": "ZAR", "kn": "HRK", "hrk": "HRK", "rsd": "RSD", "din": "RSD",
	"฿": "THB", "thb": "THB", "₱": "PHP", "php": "PHP", "rm": "MYR", "myr": "MYR", "rp": "IDR", "idr": "IDR", "₫": "VND", "vnd": "VND",
}

// dollars and crowns by the country of the site.
var (
	dollars = map[string]string{"ca": "CAD", "au": "AUD", "nz": "NZD", "sg": "SGD", "hk": "HKD", "mx": "MXN", "ar": "ARS", "cl": "CLP", "co": "COP"}
	crowns  = map[string]string{"se": "SEK", "no": "NOK", "dk": "DKK", "is": "ISK", "cz": "CZK", "sv": "SEK", "nb": "NOK", "nn": "NOK", "da": "DKK"}
)

// currencyOf is the ISO 4217 code of a sign or word; "" where it cannot be told.
func currencyOf(symbol string, where place) string {
	s := strings.TrimSuffix(strings.ToLower(symbol), ".")
	lang, region, _ := strings.Cut(strings.ToLower(where.lang), "-")
	switch s {
	case "$":
		for _, key := range []string{where.tld, region} {
			if code := dollars[key]; code != "" {
				return code
			}
		}
		return "USD"
	case "kr":
		for _, key := range []string{where.tld, region, lang} {
			if code := crowns[key]; code != "" {
				return code
			}
		}
		return ""
	}
	return currencies[s]
}
