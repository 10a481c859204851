package browser

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"notifio.app/notifio/monitor"
)

// periods are the words for what a price pays for, in the languages of the
// portals. A pattern is held against what stands right behind an amount, and
// then against its label.
var periods = []struct {
	period monitor.Period
	words  string
}{
	{monitor.Week, `p\.?\s?w\.?|pppw|w(?:ee)?k(?:ly)?|wochen?|wöchentlich|semana(?:l)?|settimana(?:le)?|semaine|hebdo|tydzień|týden|vecka|uge|uke|viikko|hét|săptămân[aă]|hafta(?:lık)?|недел[юя]`},
	{monitor.Month, `p\.?\s?c\.?\s?m\.?|p\.?\s?p\.?\s?p\.?\s?m\.?|p\.?\s?p\.?\s?m\.?|pppcm|p\.?\s?m\.?|p/m|p\.?\s?mnd\.?|mo(?:nth)?(?:ly)?|month rent|mth|calendar month|maand(?:elijks)?|mnd|mdr?|monat(?:lich)?|mtl\.?|mon\.?|mt\.?|m[eê]s(?:es)?|mensua(?:l|les)|mese|mensil[ei]|mensal|mois|mensuel(?:le)?|mies(?:\.|iąc|ięcznie)?|m-c|mc\.?|mån(?:ad)?|månad(?:en)?|måned(?:en|lig)?|měs(?:\.|íc|íčně)?|mesiac|hó(?:nap)?|lun[aă]|ay(?:lık)?|мес(?:\.|яц)?|oy(?:iga)?|kk(?:\.|-vuokra)?|kuukausi|月`},
	{monitor.Night, `p\.?\s?n\.?|night(?:ly)?|nacht|noche|notte|nuit|noc|natt|nat`},
	{monitor.Year, `p\.?\s?a\.?|year(?:ly)?|annum|annual(?:ly)?|yr|jaar|jahr(?:lich)?|jährlich|año|anual|anno|annuo|an(?:née|nuel)?|rok|år`},
	{monitor.Total, `k\.?\s?k\.?|v\.?\s?o\.?\s?n\.?|kosten koper|(?:kauf|koop|vraag|køb[es]*)\.?(?:preis|prijs|som|pris)|guide price|offers (?:over|in)|(?:asking|purchase|fixed) price|prix de vente|precio de venta|prezzo di vendita`},
}

const (
	perHead = `(?:(?:per|pro|por|par|a)\s(?:person|persoon|persona|personne|pessoa)[\s,/]*|p\.p\.\s)?`
	per     = `(?:/|\\|per|pro|por|par|al|a|à|je|pr\.?|im|och|na|za|ao|în|в|p/|\(|each|every)`
)

var (
	periodWords  *regexp.Regexp   // of any period, behind an amount: a group for each
	periodWithin []*regexp.Regexp // of each, within a label
)

func init() { compilePeriods() }

func compilePeriods() {
	var each []string
	periodWithin = nil
	for _, p := range periods {
		each = append(each, "("+p.words+")")
		periodWithin = append(periodWithin, regexp.MustCompile(`(?i)(?:^|[^\pL])(?:`+p.words+`)(?:[^\pL]|$)`))
	}
	periodWords = regexp.MustCompile(`(?i)^[.,+]?-{0,2}[\s\x1f]*` + perHead + `(?:` + per + `[\s\x1f]*)?(?:` + strings.Join(each, "|") + `)(?:[^\pL\d]|$)`)
}

// periodBehind is what an amount that is followed by rest pays for, and how much
// of rest says so.
func periodBehind(rest string) (monitor.Period, int) {
	if !hasWords(rest) {
		return "", 0
	}
	at := periodWords.FindStringSubmatchIndex(rest)
	for i, p := range periods {
		if at != nil && at[2*i+2] >= 0 {
			return p.period, len(strings.TrimRight(rest[:at[1]], " ,;:(/|"+seam))
		}
	}
	return "", 0
}

// periodOf is the period that a label names. A night is not looked for, as "nat"
// and "noc" are short.
func periodOf(label string) monitor.Period {
	for i, p := range periods {
		if p.period != monitor.Night && periodWithin[i].MatchString(label) {
			return p.period
		}
	}
	return ""
}

// currencyRows are the signs and words of each currency, as they are written. The
// country decides what "$" and "kr" mean. Codes are those of ISO 4217.
var currencyRows = []struct{ code, signs string }{
	{"EUR", "€ EUR euro euros евро"}, {"GBP", "£ GBP"}, {"USD", "US$ USD у.е."}, {"$", "$"}, {"AUD", "A$ AU$ AUD"}, {"CAD", "C$ CA$ CAD"},
	{"NZD", "NZ$ NZD"}, {"HKD", "HK$ HKD"}, {"SGD", "S$ SGD"}, {"BRL", "R$ BRL"}, {"MXN", "MX$ MXN"}, {"TWD", "NT$ TWD"},
	{"CHF", "CHF Fr. Fr SFr. SFr"}, {"PLN", "zł PLN zl"}, {"CZK", "Kč CZK"}, {"kr", "kr. kr Kr KR"}, {"SEK", "SEK"}, {"NOK", "NOK"}, {"DKK", "DKK"}, {"ISK", "ISK"},
	{"HUF", "Ft HUF"}, {"RON", "lei RON"}, {"BGN", "лв. лв BGN"}, {"RUB", "₽ руб. руб рублей RUB"}, {"UAH", "₴ грн. грн UAH"}, {"TRY", "₺ TL TRY"},
	{"UZS", "so'm so‘m so’m soʻm сум сўм UZS"}, {"KZT", "₸ тг. тг тенге KZT"}, {"GEL", "₾ GEL"}, {"INR", "₹ Rs. Rs INR"}, {"JPY", "¥ ￥ 円 JPY"}, {"CNY", "元 CNY RMB"}, {"KRW", "₩ KRW"},
	{"ILS", "₪ ILS"}, {"AED", "AED"}, {"ZAR", "ZAR R"}, {"RSD", "RSD din. din"}, {"THB", "฿ THB"}, {"PHP", "₱ PHP"}, {"MYR", "RM MYR"}, {"IDR", "Rp. Rp IDR"}, {"VND", "₫ VND"},
}

// multiples are words that multiply the number before them.
var multiples = []struct {
	words string
	by    float64
}{
	{"k", 1e3}, {"tys тыс tis", 1e3}, {"万", 1e4}, {"lakhs lakh lacs lac", 1e5}, {"million mio mln млн m", 1e6}, {"crores crore cr", 1e7},
}

var (
	currencyCodes map[string]string // by sign or word, long ones also in lower case
	currencyText  *regexp.Regexp    // any sign or word of money
	currencySigns map[rune]bool     // that stand for money wherever they are
	multipliers   map[string]float64
	multipleWords *regexp.Regexp
)

func init() { compileCurrencies() }

func compileCurrencies() {
	currencyCodes, currencySigns, multipliers = map[string]string{}, map[rune]bool{}, map[string]float64{}
	var all, factors []string
	for _, row := range currencyRows {
		for sign := range strings.FieldsSeq(row.signs) {
			currencyCodes[sign] = row.code
			all = append(all, regexp.QuoteMeta(sign))
			if runes := []rune(sign); len(runes) > 2 {
				currencyCodes[strings.ToLower(sign)] = row.code
			} else if len(runes) == 1 && sign != "R" {
				currencySigns[runes[0]] = true
			}
		}
	}
	for _, row := range multiples {
		for word := range strings.FieldsSeq(row.words) {
			multipliers[word] = row.by
			factors = append(factors, word)
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	currencyText = regexp.MustCompile(`(?i)(?:` + strings.Join(all, "|") + `)`)
	multipleWords = regexp.MustCompile(`(?i)^\s?(` + strings.Join(factors, "|") + `)\.?`)
}

// dollars and crowns by the country of the site.
var (
	dollars = map[string]string{"ca": "CAD", "au": "AUD", "nz": "NZD", "sg": "SGD", "hk": "HKD", "mx": "MXN", "ar": "ARS", "cl": "CLP", "co": "COP"}
	crowns  = map[string]string{"se": "SEK", "no": "NOK", "dk": "DKK", "is": "ISK", "cz": "CZK", "sv": "SEK", "nb": "NOK", "nn": "NOK", "da": "DKK"}
)

// currencyIn is the currency that a label names.
func currencyIn(label string, where place) string {
	for _, at := range currencyText.FindAllStringIndex(label, -1) {
		if wholeWord(label, at[0], at[1]) && label[at[0]:at[1]] != "R" {
			return currencyOf(label[at[0]:at[1]], where)
		}
	}
	return ""
}

// codeOf is the code of a sign or word in the table. One of two letters counts as it
// is written there: "ft" are feet.
func codeOf(sign string) string {
	code := currencyCodes[sign]
	if code == "" && utf8.RuneCountInString(sign) > 2 {
		code = currencyCodes[strings.ToLower(sign)]
	}
	return code
}

// currencyOf is the ISO 4217 code of a sign or word; "" where it cannot be told.
func currencyOf(symbol string, where place) string {
	code := codeOf(symbol)
	lang, region, _ := strings.Cut(strings.ToLower(where.lang), "-")
	byPlace, usual := dollars, "USD"
	switch code {
	case "$":
	case "kr":
		byPlace, usual = crowns, crowns[lang]
	default:
		return code
	}
	for _, key := range []string{where.tld, region} {
		if code := byPlace[key]; code != "" {
			return code
		}
	}
	return usual
}
