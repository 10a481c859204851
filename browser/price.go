package browser

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"notifio.app/notifio/monitor"
)

// place is what is known of where a page comes from; it decides what "$" and
// "kr" mean.
type place struct {
	tld  string // last label of the host: "uk", "se"
	lang string // the page's own language, such as "en-GB"
}

// parsePrice reads the price in a text as a card shows it: the first amount of
// money that is neither a deposit, nor a price per square metre, nor an extra
// charge. ok is false when there is none.
func parsePrice(text string, where place) (p monitor.Price, ok bool) {
	prices := parsePrices(text, where)
	if len(prices) == 0 {
		return monitor.Price{}, false
	}
	return prices[0], true
}

// parsePrices reads every price in a text, in order.
func parsePrices(text string, where place) []monitor.Price {
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	text = plainSpaces.Replace(text)
	found := moneyIn(text, where)
	var out []monitor.Price
	for i := 0; i < len(found); i++ {
		m := found[i]
		if beside(text, m) {
			continue
		}
		p := monitor.Price{Amount: m.amount, Currency: m.currency}
		end := m.end
		if hi, stop, ok := rangeEnd(text, found, i); ok {
			p.AmountMax, end = hi, stop
			if i+1 < len(found) && found[i+1].start < stop {
				if p.Currency == "" {
					p.Currency = found[i+1].currency
				}
				i++
			}
		} else if m.to > 0 {
			p.AmountMax = m.to
		}
		p.Period = periodAround(text, m.start, end)
		p.Text = clean(snippet(text, m.start, end))
		out = append(out, p)
	}
	return out
}

// plainSpaces makes every kind of space that stands inside numbers the same.
var plainSpaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "\u2007", " ", "\u2008", " ", "\u200a", " ", "\u2002", " ", "\u2003", " ",
	"’", "'", "‘", "'", "`", "'", "´", "'", "ʼ", "'", "–", "-", "—", "-", "‒", "-", "−", "-", "\u200b", "", "\u200e", "", "\u200f", "")

// money is one amount with its currency, and where it stands in the text.
type money struct {
	amount, to float64 // to: upper end written before the currency, "1.000-1.200 €"
	currency   string
	start, end int
}

const numeral = `\d{1,3}(?:['. ,]\d{3})+(?:[.,]\d{1,2})?|\d{1,2}(?:,\d{2})+,\d{3}|\d+(?:[.,]\d{1,2})?`

var (
	currencyWord = `(?:€|EUR\b|EURO?S?\b|£|GBP\b|US\$|A\$|AU\$|C\$|CA\$|NZ\$|HK\$|S\$|R\$|MX\$|NT\$|\$|USD\b|AUD\b|CAD\b|NZD\b|SGD\b|HKD\b|BRL\b|MXN\b|S?Fr\.|SFr\b|CHF\b|zł|zl\b|PLN\b|Kč|CZK\b|SEK\b|NOK\b|DKK\b|ISK\b|kr\.?|Ft\b|HUF\b|lei\b|RON\b|лв\.?|BGN\b|₽|руб\.?|RUB\b|₴|грн\.?|UAH\b|₺|TL\b|TRY\b|₹|Rs\.?|INR\b|¥|円|JPY\b|元|CNY\b|RMB\b|₩|KRW\b|₪|ILS\b|AED\b|ZAR\b|R\b|Kn\b|HRK\b|RSD\b|din\.?|฿|THB\b|₱|PHP\b|RM\b|MYR\b|Rp\.?|IDR\b|₫|VND\b)`
	before       = regexp.MustCompile(`(?i)(?:^|[^\pL\d])(` + currencyWord + `)[\s\x1f]{0,2}(` + numeral + `)([km]\b|\s?(?:mio|mln|million|tys)\b)?`)
	after        = regexp.MustCompile(`(?i)(?:^|[^\d.,'])(` + numeral + `)(?:\s{0,2}-\s{0,2}(` + numeral + `))?([km]|\s?(?:mio\.?|mln\.?|million|tys\.?))?(?:[.,]\s?-{1,2})?[\s\x1f]{0,2}(` + currencyWord + `)`)
)

// moneyIn finds amounts with a currency before or after them, in text order.
func moneyIn(text string, where place) []money {
	left, right := leading(text, where), trailing(text, where)
	var out []money
	for len(left) > 0 || len(right) > 0 {
		var m money
		switch {
		case len(right) == 0 || len(left) > 0 && left[0].start < right[0].start:
			m, left = left[0], left[1:]
		case len(left) > 0 && left[0].start < right[0].end && !owned(left[0], right):
			// "3 € 500": the sign belongs to what follows it.
			m, left = left[0], left[1:]
		default:
			m, right = right[0], right[1:]
		}
		out = append(out, m)
		left = slices.DeleteFunc(left, func(o money) bool { return o.start < m.end })
		right = slices.DeleteFunc(right, func(o money) bool { return o.start < m.end })
	}
	return out
}

// owned says whether the number of an amount has a currency behind it as well:
// in "395 € 5 €" the first sign belongs to 395.
func owned(m money, right []money) bool {
	return slices.ContainsFunc(right, func(o money) bool { return o.start > m.start && o.start < m.end })
}

// leading finds amounts with the currency before them.
func leading(text string, where place) []money {
	var out []money
	for _, at := range before.FindAllStringSubmatchIndex(text, -1) {
		amount, ok := parseNumber(text[at[4]:at[5]])
		if !ok || !wholeWord(text, at[2], at[3]) || followsUnit(text[at[5]:]) {
			continue
		}
		end := at[5]
		if factor := multiple(text, at[6], at[7]); factor > 1 {
			amount, end = amount*factor, at[7]
		}
		out = append(out, money{amount: amount, currency: currencyOf(text[at[2]:at[3]], where), start: at[2], end: end})
	}
	return out
}

// trailing finds amounts with the currency behind them, ranges among them.
func trailing(text string, where place) []money {
	var out []money
	for _, at := range after.FindAllStringSubmatchIndex(text, -1) {
		amount, ok := parseNumber(text[at[2]:at[3]])
		if !ok || !wholeWord(text, at[8], at[9]) {
			continue
		}
		m := money{amount: amount * multiple(text, at[6], at[7]), currency: currencyOf(text[at[8]:at[9]], where), start: at[2], end: at[9]}
		if at[4] > 0 {
			if to, ok := parseNumber(text[at[4]:at[5]]); ok && plausibleRange(m.amount, to) {
				m.to = to
			}
		}
		out = append(out, m)
	}
	return out
}

// wholeWord keeps letters of a currency from being found inside a word.
func wholeWord(text string, start, end int) bool {
	isLetter := func(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80 }
	if !isLetter(text[start]) || text[start] >= 0x80 {
		return true
	}
	if start > 0 && isLetter(text[start-1]) {
		return false
	}
	return end >= len(text) || !isLetter(text[end])
}

// parseNumber reads a number in any of the ways that portals group digits. A mark
// with exactly three digits behind it groups, as rents have no thousandths; a
// leading zero makes it a decimal one.
func parseNumber(s string) (float64, bool) {
	s = strings.Map(func(r rune) rune {
		if r == ' ' || r == '\'' {
			return -1
		}
		return r
	}, s)
	dot, comma := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ',')
	last := max(dot, comma)
	decimals := len(s) - last - 1
	decimal := last >= 0 && (decimals < 3 || s[0] == '0' && last == 1)
	if decimal && strings.Count(s, s[last:last+1]) > 1 {
		decimal = false
	}
	var b strings.Builder
	for i := range len(s) {
		switch {
		case s[i] == '.' || s[i] == ',':
			if decimal && i == last {
				b.WriteByte('.')
			}
		default:
			b.WriteByte(s[i])
		}
	}
	f, err := strconv.ParseFloat(b.String(), 64)
	return f, err == nil && f > 0 && f < 1e11
}

func multiple(text string, start, end int) float64 {
	if start < 0 || end <= start {
		return 1
	}
	if strings.HasPrefix(text[end:], ".k") || strings.HasPrefix(text[end:], "²") {
		return 1 // "k.k.", costs of the buyer, and square metres
	}
	switch w := strings.Trim(strings.ToLower(text[start:end]), " ."); w {
	case "k", "tys":
		return 1e3
	default:
		return 1e6
	}
}

var (
	rangeMark = regexp.MustCompile(`(?i)^(?:[\s\x1f]*(?:p\.?m\.?|pcm|pw|/\s?\pL+)?)[\s\x1f]*(?:-|to|tot|bis|till?|a|à|al|e|et|do|en|und|and|až|t/m)[\s\x1f]*$`)
	bareRange = regexp.MustCompile(`^\s{0,2}-\s{0,2}(` + numeral + `)`)
)

// rangeEnd finds the upper end of a range that starts with found[i].
func rangeEnd(text string, found []money, i int) (to float64, end int, ok bool) {
	m := found[i]
	if i+1 < len(found) {
		next := found[i+1]
		same := next.currency == m.currency || next.currency == "" || m.currency == ""
		if same && rangeMark.MatchString(text[m.end:next.start]) && plausibleRange(m.amount, next.amount) {
			return next.amount, next.end, true
		}
	}
	if at := bareRange.FindStringSubmatchIndex(text[m.end:]); at != nil && !followsUnit(text[m.end+at[1]:]) {
		if hi, valid := parseNumber(text[m.end+at[2] : m.end+at[3]]); valid && plausibleRange(m.amount, hi) {
			return hi, m.end + at[1], true
		}
	}
	return 0, 0, false
}

// plausibleRange keeps "€ 1.000 - 2 rooms" and a price beside a total from being
// taken for a range.
func plausibleRange(low, high float64) bool { return high > low && high <= 10*low }

var (
	perArea  = regexp.MustCompile(`(?i)^\s*(?:/|per|pro|al|por|par|a)?\s*\(?(?:m²|m2|m\^2|sqm|qm|sq\.?\s?(?:ft|m)|square|mq|kvm|ft²|quadratmeter|metro)`)
	unit     = regexp.MustCompile(`(?i)^\s*(?:m²|m2|sqm|qm|sq\b|mq\b|kvm|%|rooms?\b|beds?\b|bedrooms?\b|zimmer|zi\b|kamers?|hab\b|km\b|min\b|pers|x\b)`)
	extraBy  = newSieve(`(?i)(?:\+\s*|deposit|bond|kaution|borg|waarborg|fianza|caution|cauzione|kaucja|provision|commission|honorar|fees?|admin|service ?(?:costs?|kosten)|servicekosten|nebenkosten|\bnk\b|charges|gastos|spese|bills|parking|stellplatz|was|previously|war|instead of|statt|voorheen|antes|save|discount|off|bespaar|min\.? income|income|inkomen|einkommen)[\s:.(]*(?:of|from|van|von|ca\.?|approx\.?|about)?[\s:.(]*$`)
	extraEnd = regexp.MustCompile(`(?i)^\s*(?:deposit|bond|kaution|borg|fianza|caution|kaucja|off\b|discount|service|nebenkosten|\bnk\b|fees?\b|charges|gastos|spese|servicekosten|cashback|bills)`)
)

func followsUnit(rest string) bool { return unit.MatchString(rest) }

// beside says whether an amount is not the price but something next to it.
func beside(text string, m money) bool {
	rest := text[m.end:]
	if perArea.MatchString(rest) || extraEnd.MatchString(rest) {
		return true
	}
	return extraBy.MatchString(text[max(0, m.start-40):m.start])
}

// snippet is the price as shown: the amount, and the words of its period.
func snippet(text string, start, end int) string {
	if at := periodBehind.FindStringIndex(text[end:]); at != nil {
		end += at[1]
	}
	return strings.Trim(text[start:end], " ,;:(/"+seam)
}
