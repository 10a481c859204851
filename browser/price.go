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

const (
	numeral = `\d{1,3}(?:['. ,]\d{3})+(?:[.,]\d{1,2})?|\d{1,2}(?:,\d{2})+,\d{3}|\d+(?:[.,]\d{1,2})?`
	toward  = `\s{0,2}(?:-|\b(?:to|tot|bis|till?|a|al|e|et|do)\b|à|až)\s{0,2}`
)

// hasMoney says whether a text speaks of money. It is asked of every text of a
// page.
func hasMoney(text string) bool {
	short := len(text) < 200 // words in a description do not count
	word := -1               // where the word begins that is being read
	last := ' '              // the last letter, digit or mark before it
	for i, r := range text {
		switch letter := r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '\'' || r == '‘' || r == '’' || r == 'ʻ' || r > 0x7f && unicode.IsLetter(r); {
		case currencySigns[r]:
			return true
		case letter && word < 0:
			word = i
		case !letter && word >= 0:
			if short && standsForMoney(text[word:i], last, text[i:]) {
				return true
			}
			word, last = -1, r
		case !letter && !unicode.IsSpace(r) && (last < '0' || last > '9' || r != '.' && r != ',' && r != '-'):
			last = r // "1.200,- kr": the number's own marks are passed over
		}
	}
	return short && (word >= 0 && standsForMoney(text[word:], last, "") || hasRent(text))
}

// standsForMoney says whether a word does between what is before and behind it:
// beside a number, or at the beginning of a text.
func standsForMoney(word string, last rune, rest string) bool {
	behind, known := currencyWords[word]
	if !known {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " .\u00a0\u202f"))
	return unicode.IsDigit(next) || behind && (unicode.IsDigit(last) || last == ' ' || last == '万')
}

// hasRent says whether a number without a currency is money: "1200 per month",
// "1'450.-".
func hasRent(text string) bool {
	return rentHint.MatchString(text) && slices.ContainsFunc(bareFigures(plainSpaces.Replace(text)), func(f figure) bool { return !f.bare })
}

// rentHint is what such a number has behind it at least.
var rentHint = regexp.MustCompile(`(?i)\d\d\d(?:[.,]\d\d)?(?:[.,]\s?[-–—]|[\s\x{a0}\x{202f}]{0,2}(?:/|p|w|m[^²2i]|al |a |je |im |och |na |za |ao |în |в |each |every ))`)

// moneyFigures finds the amounts of money in a text, each with its period. A number
// without a currency is one where its period or the mark ".-" is written, or else
// where its label will say so; where there are others, it is none.
func moneyFigures(text string, where place) []figure {
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	found := pricesIn(text, where)
	for _, f := range bareFigures(text) {
		overlaps := func(o figure) bool { return f.start < o.end && o.start < f.end }
		if f.bare && slices.ContainsFunc(found, func(o figure) bool { return !o.bare }) || slices.ContainsFunc(found, overlaps) {
			continue
		}
		found = append(found, f)
	}
	slices.SortFunc(found, func(a, b figure) int { return a.start - b.start })
	var out []figure
	for i := 0; i < len(found); i++ {
		f := found[i]
		if hi, end, ok := rangeEnd(text, found, i); ok {
			f.to, f.end = hi, end
			if i+1 < len(found) && found[i+1].start < end {
				if i++; f.currency == "" {
					f.currency = found[i].currency
				}
				f.bare = f.bare && found[i].bare
			}
		}
		if perArea.MatchString(text[f.end:]) {
			f.amount = 0 // of each square metre
		}
		period, length := periodBehind(text[f.end:])
		f.period, f.end = period, f.end+length
		out = append(out, f)
	}
	return out
}

// pricesIn finds amounts with a currency before or behind them, in text order.
func pricesIn(text string, where place) []figure {
	if !before.mayMatch(text) {
		return nil
	}
	left, right := leading(text, where), trailing(text, where)
	var out []figure
	for len(left) > 0 || len(right) > 0 {
		var f figure
		switch {
		case len(right) == 0 || len(left) > 0 && left[0].start < right[0].start:
			f, left = left[0], left[1:]
		case len(left) > 0 && left[0].start < right[0].end && !owned(left[0], right):
			f, left = left[0], left[1:] // "3 € 500": the sign belongs to what follows it
		default:
			f, right = right[0], right[1:]
		}
		out = append(out, f)
		left = slices.DeleteFunc(left, func(o figure) bool { return o.start < f.end })
		right = slices.DeleteFunc(right, func(o figure) bool { return o.start < f.end })
	}
	return out
}

// owned says whether the number of an amount has a currency behind it as well:
// in "395 € 5 €" the first sign belongs to 395.
func owned(f figure, right []figure) bool {
	return slices.ContainsFunc(right, func(o figure) bool { return o.start > f.start && o.start < f.end })
}

// leading finds amounts with the currency before them.
func leading(text string, where place) []figure {
	var out []figure
	for _, at := range before.pattern.FindAllStringSubmatchIndex(text, -1) {
		sign := text[at[2]:at[3]]
		amount, ok := parseNumber(text[at[4]:at[5]])
		if !ok || !wholeWord(text, at[2], at[3]) || followsUnit(text[at[5]:]) || sign == "R" && amount < 100 {
			continue
		}
		if strings.EqualFold(sign, "fr") && where.tld != "ch" && !strings.ContainsAny(text[at[4]:at[1]], "'-") {
			continue // "Fr 18.30" is a Friday
		}
		f := figure{amount: amount, currency: currencyOf(sign, where), start: at[2], end: at[1]}
		if factor := multiple(text, at[6], at[7]); factor > 1 {
			f.amount *= factor
		} else if at[6] >= 0 {
			f.end = at[5]
		}
		out = append(out, f)
	}
	return out
}

// trailing finds amounts with the currency behind them, ranges among them.
func trailing(text string, where place) []figure {
	var out []figure
	for _, at := range after.FindAllStringSubmatchIndex(text, -1) {
		amount, ok := parseNumber(text[at[2]:at[3]])
		if !ok || !wholeWord(text, at[8], at[9]) || at[2] > 0 && strings.IndexByte("0123456789.,'", text[at[2]-1]) >= 0 || dutchPostcode(text[at[2]:at[9]], text[at[9]:], where) {
			continue
		}
		factor := 1.0
		if at[6] >= 0 {
			factor = multiple(text, at[6], at[7])
		}
		f := figure{amount: amount * factor, currency: currencyOf(text[at[8]:at[9]], where), start: at[2], end: at[9]}
		if at[4] > 0 {
			to, ok := parseNumber(text[at[4]:at[5]])
			switch {
			case ok && plausibleRange(f.amount, to*factor):
				f.to = to * factor
			case ok && plausibleRange(f.amount*factor, to*factor):
				f.amount, f.to = f.amount*factor, to*factor
			case ok:
				f.amount, f.start = to*factor, at[4] // two numbers that are no range
			}
		}
		out = append(out, f)
	}
	return out
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

// bareNumber is a number that belongs to no word, date, time or other number.
var bareNumber = regexp.MustCompile(`(?:^|[^\pL\d.,'/:#№²+-])(` + numeral + `)([.,]\s?-{1,2}(?:[^\d]|$))?`)

// bareFigures finds numbers without a currency. They are at least 100: no rent is
// less without its currency.
func bareFigures(text string) []figure {
	var out []figure
	for _, at := range bareNumber.FindAllStringSubmatchIndex(text, -1) {
		amount, ok := parseNumber(text[at[2]:at[3]])
		rest := text[at[3]:]
		if !ok || amount < 100 {
			continue
		}
		f := figure{amount: amount, start: at[2], end: at[3], bare: true}
		period, _ := periodBehind(rest)
		switch {
		case at[4] >= 0:
			f.bare, f.end = false, at[4]+len(strings.TrimRightFunc(text[at[4]:at[5]], func(r rune) bool { return r != '-' }))
		case period == monitor.Month || period == monitor.Week:
			f.bare = false
		case rest != "" && numberGoesOn.MatchString(rest) || followsUnit(rest):
			continue
		}
		out = append(out, f)
	}
	return out
}

var numberGoesOn = regexp.MustCompile(`^(?:[\pL\d%°²]|[./:,'-]\d)`)

// parseNumber reads a number in any of the ways that portals group digits. A mark
// with exactly three digits behind it groups, as rents have no thousandths; a
// leading zero makes it a decimal one.
func parseNumber(s string) (float64, bool) {
	s = strings.NewReplacer(" ", "", "'", "").Replace(s)
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

// multiple is what the word between start and end multiplies by; 1 where it is
// none: "k.k." are costs of the buyer, and "m²" and "months" are no million.
func multiple(text string, start, end int) float64 {
	next, _ := utf8.DecodeRuneInString(text[max(end, 0):])
	if start < 0 || end <= start || unicode.IsDigit(next) || next == '²' || strings.HasPrefix(text[end:], "k.") {
		return 1
	}
	w := strings.Trim(text[start:end], " .")
	if last, _ := utf8.DecodeLastRuneInString(w); unicode.IsLetter(next) && !unicode.Is(unicode.Han, last) {
		return 1
	}
	for _, row := range multiples {
		if ok, _ := regexp.MatchString(`(?i)^(?:`+row.words+`)$`, w); ok {
			return row.by
		}
	}
	return 1
}

var (
	rangeMark = regexp.MustCompile(`(?i)^(?:[\s\x1f]*(?:p\.?m\.?|pcm|pw|/\s?\pL+)?)[\s\x1f]*(?:-|to|tot|bis|till?|a|à|al|e|et|do|en|und|and|až|t/m)[\s\x1f]*$`)
	bareRange = regexp.MustCompile(`(?i)^` + toward + `(` + numeral + `)`)
)

// rangeEnd finds the upper end of a range that starts with found[i].
func rangeEnd(text string, found []figure, i int) (to float64, end int, ok bool) {
	f := found[i]
	if i+1 < len(found) {
		next := found[i+1]
		same := next.currency == f.currency || next.currency == "" || f.currency == ""
		if same && rangeMark.MatchString(text[f.end:next.start]) && plausibleRange(f.amount, next.amount) {
			return next.amount, next.end, true
		}
	}
	if at := bareRange.FindStringSubmatchIndex(text[f.end:]); at != nil && !followsUnit(text[f.end+at[1]:]) {
		if hi, valid := parseNumber(text[f.end+at[2] : f.end+at[3]]); valid && plausibleRange(f.amount, hi) {
			return hi, f.end + at[1], true
		}
	}
	return f.to, f.end, false
}

// plausibleRange keeps "€ 1.000 - 2 rooms" and a price beside a total from being
// taken for a range.
func plausibleRange(low, high float64) bool { return high > low && high <= 10*low }

var perArea = regexp.MustCompile(`(?i)^\s*(?:/|per|pro|al|por|par|a|za|na)?\s*\(?(?:m²|m2|m\^2|sqm|qm|sq\.?\s?(?:ft|m)|square|mq|kvm|ft²|quadratmeter|metro)`)

var unit = regexp.MustCompile(`(?i)^\s*(?:m²|m2|sqm|qm|sq\b|mq\b|kvm|%|rooms?\b|beds?\b|bedrooms?\b|zimmer|zi\b|kamers?|hab\b|km\b|min\b|pers|x\b)`)

func followsUnit(rest string) bool { return unit.MatchString(rest) }
