package browser

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"notifio.app/notifio/monitor"
)

// place is what is known of where a page comes from; it decides what "$" and
// "kr" mean.
type place struct {
	tld  string // last label of the host: "uk", "se"
	lang string // the page's own language, such as "en-GB"
}

// plainSpaces makes every kind of space that stands inside numbers the same.
var plainSpaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "\u2007", " ", "\u2008", " ", "\u200a", " ", "\u2002", " ", "\u2003", " ",
	"’", "'", "‘", "'", "`", "'", "´", "'", "ʼ", "'", "ʻ", "'", "–", "-", "—", "-", "‒", "-", "−", "-", "\u200b", "", "\u200e", "", "\u200f", "")

// hasMoney says whether a text speaks of money. It is asked of every text of a
// page. Words in a description do not count.
func hasMoney(text string) bool {
	if strings.ContainsFunc(text, func(r rune) bool { return (r == '$' || r > 0x7f) && currencySigns[r] }) {
		return true
	}
	if len(text) >= 200 || text == "" {
		return false
	}
	if text = plainSpaces.Replace(text); !strings.ContainsAny(text, digits) {
		sign, _ := signBehind(text)
		return sign != ""
	}
	return slices.ContainsFunc(moneyFigures(text, place{}), func(f figure) bool { return !f.bare && f.amount > 0 })
}

// number is a number in any of the ways that portals group digits.
var number = regexp.MustCompile(`\d{1,3}(?:['. ,]\d{3})+(?:[.,]\d{1,2})?|\d{1,2}(?:,\d{2})+,\d{3}|\d+(?:[.,]\d{1,2})?`)

// moneyFigures finds the amounts of money in a text, each with its period. A number
// without a currency is one where its period or the mark ".-" is written, or else
// where its label will say so; where there are others, it is none.
func moneyFigures(text string, where place) []figure {
	if !strings.ContainsAny(text, digits) {
		return nil
	}
	var all []figure
	from := 0 // the end of what belongs to the number before
	for _, at := range number.FindAllStringIndex(text, -1) {
		f := moneyAt(text, at[0], at[1], from, where)
		from = f.end
		if n := len(all) - 1; n >= 0 && rangeOf(text, &all[n], f) {
			continue
		}
		all = append(all, f)
	}
	sure := slices.ContainsFunc(all, func(f figure) bool { return !f.idle && !f.bare })
	all = slices.DeleteFunc(all, func(f figure) bool { return f.idle || f.bare && sure })
	for i := range all {
		f := &all[i]
		if perArea.MatchString(text[f.end:]) {
			f.amount = 0 // of each square metre
		}
		period, length := periodBehind(text[f.end:])
		f.period, f.end = period, f.end+length
	}
	return all
}

// moneyAt is what the number between start and end is by the currency before or
// behind it, or else by its mark and its period.
func moneyAt(text string, start, end, from int, where place) figure {
	amount, ok := parseNumber(text[start:end])
	factor, width := multiple(text[end:])
	f := figure{amount: amount * factor, start: start, end: end + width}
	mark := len(markBehind.FindString(text[f.end:]))
	if !ok || followsUnit(text[end:]) {
		f.idle = true
		return f
	}
	if sign, at := signBefore(text[from:start]); sign != "" && !(sign == "R" && amount < 100) {
		if strings.EqualFold(sign, "fr") && where.tld != "ch" && mark == 0 && !strings.Contains(text[start:end], "'") {
			f.idle = true // "Fr 18.30" is a Friday
		}
		f.currency, f.start, f.end = currencyOf(sign, where), from+at, f.end+mark
		return f
	}
	lead, _ := utf8.DecodeLastRuneInString(text[:start])
	sign, length := signBehind(text[f.end+mark:])
	after := f.end + mark + length
	if sign != "" && !strings.ContainsRune(digits+".,'", lead) && !dutchPostcode(text[start:after], text[after:], where) && !signOfNext(text[after:]) {
		f.currency, f.end = currencyOf(sign, where), after
		return f
	}
	f.bareNumber(text, lead, mark)
	return f
}

// signOfNext says whether a sign belongs to the number behind it: in "3 € 500", but
// not in "395 € 5 €".
func signOfNext(rest string) bool {
	at := numberNext.FindStringIndex(rest)
	if at == nil || followsUnit(rest[at[1]:]) {
		return false
	}
	own, _ := signBehind(rest[at[1]:])
	return own == ""
}

// bareNumber says what a number without a currency is. It is at least 100: no rent
// is less without its currency.
func (f *figure) bareNumber(text string, lead rune, mark int) {
	rest := text[f.end:]
	period, _ := periodBehind(rest)
	switch {
	case f.amount < 100 || unicode.IsLetter(lead) || lead != utf8.RuneError && strings.ContainsRune(digits+".,'/:#№²+-", lead):
		f.idle = true
	case mark > 0 && !strings.ContainsAny(rest[mark:min(mark+1, len(rest))], digits):
		f.end += mark
	case period == monitor.Month || period == monitor.Week:
	default:
		f.bare, f.idle = true, numberGoesOn.MatchString(rest)
	}
}

// markBehind is written behind whole amounts: "1'450.-".
var (
	markBehind = regexp.MustCompile(`^[.,]\s?-{1,2}`)
	numberNext = regexp.MustCompile(`^[\s\x1f:]{0,2}(?:` + number.String() + `)`)
)

// longestSign is the length of "рублей", in bytes.
const longestSign = 12

// signBefore is the currency that a text ends with, and where it begins.
func signBefore(text string) (sign string, at int) {
	end := len(text)
	for n := 0; n < 2 && end > 0 && strings.IndexByte(" \t\n:"+seam, text[end-1]) >= 0; n++ {
		end--
	}
	for at := max(0, end-longestSign); at < end; at++ {
		if sign := text[at:end]; codeOf(sign) != "" && wholeWord(text[:end], at, end) {
			return sign, at
		}
	}
	return "", 0
}

// signBehind is the currency that a text begins with, and the length up to its end.
func signBehind(text string) (sign string, length int) {
	start := 0
	for start < 2 && start < len(text) && strings.IndexByte(" \t\n"+seam, text[start]) >= 0 {
		start++
	}
	for end := min(len(text), start+longestSign); end > start; end-- {
		if sign := text[start:end]; sign != "R" && codeOf(sign) != "" && wholeWord(text, start, end) {
			return sign, end
		}
	}
	return "", 0
}

// dutchPostcode says whether an amount is one: "1012 TL Amsterdam".
func dutchPostcode(amount, rest string, where place) bool {
	return postcodeOnly.MatchString(amount) && where.tld != "tr" && (townBehind.MatchString(rest) || where.tld == "nl")
}

var (
	postcodeOnly = regexp.MustCompile(`^[1-9]\d{3} ?[A-Z]{2}$`)
	townBehind   = regexp.MustCompile(`^ +\p{Lu}\p{Ll}`)
)

// wholeWord keeps letters of a currency from being found inside a word.
func wholeWord(text string, start, end int) bool {
	first, _ := utf8.DecodeRuneInString(text[start:end])
	last, _ := utf8.DecodeLastRuneInString(text[start:end])
	lead, _ := utf8.DecodeLastRuneInString(text[:start])
	next, _ := utf8.DecodeRuneInString(text[end:])
	alphabetic := func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) }
	return !(alphabetic(first) && alphabetic(lead)) && !(alphabetic(last) && alphabetic(next))
}

var numberGoesOn = regexp.MustCompile(`^(?:[\pL\d%°²]|[./:,'-]\d)`)

var noSpaces = strings.NewReplacer(" ", "", "'", "")

// parseNumber reads a number in any of the ways that portals group digits. A mark
// with exactly three digits behind it groups, as rents have no thousandths; a
// leading zero makes it a decimal one.
func parseNumber(s string) (float64, bool) {
	s = noSpaces.Replace(s)
	last := strings.LastIndexAny(s, ".,")
	decimals := len(s) - last - 1
	decimal := last >= 0 && (decimals < 3 || s[0] == '0' && last == 1) && strings.Count(s, s[last:last+1]) == 1
	var b strings.Builder
	for i := range len(s) {
		switch {
		case s[i] != '.' && s[i] != ',':
			b.WriteByte(s[i])
		case decimal && i == last:
			b.WriteByte('.')
		}
	}
	f, err := strconv.ParseFloat(b.String(), 64)
	return f, err == nil && f >= 0 && f < 1e11
}

// multiple is what the word that a text begins with multiplies by, and its length:
// "k.k." are costs of the buyer, and "m²" and "months" are no million.
func multiple(text string) (factor float64, length int) {
	at := multipleWords.FindStringSubmatchIndex(text)
	if at == nil {
		return 1, 0
	}
	next, _ := utf8.DecodeRuneInString(text[at[1]:])
	last, _ := utf8.DecodeLastRuneInString(text[:at[3]])
	if unicode.IsDigit(next) || next == '²' || strings.HasPrefix(text[at[1]:], "k.") || unicode.IsLetter(next) && !unicode.Is(unicode.Han, last) {
		return 1, 0
	}
	return multipliers[strings.ToLower(text[at[2]:at[3]])], at[1]
}

var rangeMark = regexp.MustCompile(`(?i)^(?:[\s\x1f]*(?:p\.?m\.?|pcm|pw|/\s?\pL+)?)[\s\x1f]*(?:-|to|tot|bis|till?|a|à|al|e|et|do|en|und|and|až|t/m)[\s\x1f]*$`)

// rangeOf makes a range of an amount and the next one, where they are one.
func rangeOf(text string, low *figure, high figure) bool {
	if low.to > 0 || low.idle && high.idle || low.currency != "" && high.currency != "" && low.currency != high.currency || followsUnit(text[high.end:]) ||
		!plausibleRange(low.amount, high.amount) || !rangeMark.MatchString(text[low.end:high.start]) {
		return false
	}
	low.to, low.end = high.amount, high.end
	if low.currency == "" {
		low.currency = high.currency
	}
	low.bare, low.idle = low.currency == "" && (low.bare || low.idle) && (high.bare || high.idle), false
	return true
}

// plausibleRange keeps "€ 1.000 - 2 rooms" and a price beside a total from being
// taken for a range.
func plausibleRange(low, high float64) bool { return high > low && high <= 10*low }

var perArea = regexp.MustCompile(`(?i)^\s*(?:/|per|pro|al|por|par|a|za|na)?\s*\(?(?:m²|m2|m\^2|sqm|qm|sq\.?\s?(?:ft|m)|square|mq|kvm|ft²|quadratmeter|metro)`)

var unit = regexp.MustCompile(`(?i)^\s*(?:m²|m2|sqm|qm|sq\b|mq\b|kvm|%|rooms?\b|beds?\b|bedrooms?\b|zimmer|zi\b|kamers?|hab\b|km\b|min\b|pers|x\b)`)

func followsUnit(rest string) bool { return unit.MatchString(rest) }
