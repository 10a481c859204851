package browser

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"notifio.app/notifio/monitor"
)

// A card shows several amounts and several sizes: the rent and the deposit, the
// flat and its balcony. All of them are collected, each is judged by its own
// label, and the best class wins, the first of it in page order.

// class says what a label makes of the figure beside it, the best first.
type class int

const (
	named  class = iota // what is looked for: the rent, the living area
	asked               // "price", and words of a sale
	plain               // no label that we know
	lesser              // may be it where nothing better stands; never sure
	beside              // something else: a deposit, a balcony
)

// labelRow are the words that put a figure into a class: alternatives of a regular
// expression that match whole words, those of one language in one row.
type labelRow struct {
	class class
	words string
}

// labels is a table of such rows, ready for use.
type labels [beside + 1]sieve

func newLabels(rows []labelRow) labels {
	var out labels
	for c := range out {
		var words []string
		for _, row := range rows {
			if row.class == class(c) {
				words = append(words, row.words)
			}
		}
		if len(words) > 0 {
			out[c] = newSieve(`(?i)(?:^|[^\pL])(?:` + strings.Join(words, "|") + `)(?:[^\pL]|$)`)
		}
	}
	return out
}

// class of a label. What is beside the point speaks first: "parking rent" is no
// rent. A label without a word of the table is plain.
func (l *labels) class(label string) class {
	if !hasWords(label) {
		return plain
	}
	// A head that names several things names the first of them first: "rent/charges".
	if first, _, several := strings.Cut(label, "/"); several {
		if c := l.class(first); c != plain {
			return c
		}
	}
	for _, c := range []class{beside, named, asked, lesser} {
		if l[c].pattern != nil && l[c].MatchString(label) {
			return c
		}
	}
	return plain
}

const digits = "0123456789"

// hasWords says whether a text may say anything. Most labels are empty.
func hasWords(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r == '+' || r > '9' })
}

// figure is a number with its unit, and where it stands in a text.
type figure struct {
	amount, to float64 // to: the upper end of a range, else 0
	currency   string  // of money: ISO 4217, or "" when not shown
	start, end int
	bare       bool // no unit: counts only where a label says what it is
	said       bool // its unit says all, as in "3 rooms"
	idle       bool // may be an end of a range, and is nothing by itself
	period     monitor.Period
}

// passage is a run of a card's text, with the label that its place gives it.
type passage struct {
	text     string
	label    string // of its cell, its <dt> or the line beside it
	firm     bool   // the label is that of its cell or its <dt>, whatever the text says
	loose    bool   // the label may as well belong to something else
	numbered bool   // there is a digit in the text
}

// judged is a figure with what is said of it.
type judged struct {
	figure
	passage *passage
	class   class
	label   string // all words that are said of it, its period among them
	after   int    // end of what belongs to the figure behind it
}

const someWord = `[\pL'-]+(?:\s(?:and|en|und|et|e|y|i|og|och|&)\s[\pL'-]+)?`

// Phrases that name what is part of a rent, or what there is not, are no label:
// "incl. parking", "no deposit", "bills included".
var (
	partOf   = newSieve(`(?i)(?:^|[^\pL])(?:inc(?:l\pL*)?|inkl\pL*|with|met|mit|avec|con|com|med|z|ze|с)\.?\s+(?:the\s)?` + someWord)
	added    = newSieve(`(?i)(?:(?:^|[^\pL])(?:e[xk]+[ck]l\pL*|zzgl|zuzüglich|plus|hors|más|mais|più|oprócz|exkl)\.?\s+|\+\s*)` + someWord)
	absent   = newSieve(`(?i)(?:^|[^\pL])(?:no|zero|without|geen|zonder|keine?|ohne|sans|pas de|sin|senza|nessun\pL*|sem|bez|utan|ingen|uten|uden|fără|без)\s+` + someWord)
	included = newSieve(`(?i)` + someWord + `\s+(?:in[ck](?:\.|l\pL*)|inbegr[ie]\pL+|enthalten|compris(?:es)?|wliczon\pL+|w cenie|v ceně|ingår|dahil|benne|включены)`)
	parting  = regexp.MustCompile(`[,;|·•∙()\[\]/+\n]|\.\s|\s-\s`)
)

// judge gives each figure of a passage its label: the words right before it or
// right behind it, else what its place says.
func (l *labels) judge(p *passage, figures []figure) []judged {
	n := len(figures)
	if n == 0 {
		return nil
	}
	front, behind := make([]string, n), make([]string, n)
	front[0] = l.ahead(p.text[:figures[0].start], false)
	behind[n-1] = tail(p.text[figures[n-1].end:])
	// Where the first has no label before it and the last has one behind it, labels
	// stand behind.
	later := l.class(front[0]) == plain && l.class(trailer(behind[n-1])) != plain
	for i := 1; i < n; i++ {
		gap := p.text[figures[i-1].end:figures[i].start]
		switch {
		case parting.MatchString(gap):
			behind[i-1], front[i] = tail(gap), l.ahead(gap, true)
		case (later || offBehind.MatchString(gap)) && !strings.HasSuffix(strings.TrimRight(gap, " "+seam), ":"):
			behind[i-1] = gap
		default:
			front[i] = l.ahead(gap, true)
		}
	}
	out := make([]judged, n)
	for i, f := range figures {
		out[i] = l.weigh(p, f, front[i], behind[i])
	}
	return out
}

// weigh puts one figure into its class.
func (l *labels) weigh(p *passage, f figure, front, behind string) judged {
	j := judged{figure: f, passage: p, after: f.end, label: front + "|" + behind}
	if f.said {
		return j // as named as can be
	}
	j.class = l.class(front)
	if f.bare && l.more(front, j.class) {
		j.class = plain // "a flat for rent in Baker Street 221"
	}
	own := trailer(behind)
	if c := l.class(own); c != plain && (j.class == plain || c == beside) {
		j.class = c
	}
	if j.class == named && l.class(own) == named {
		j.after += len(strings.TrimRight(behind, " "+seam))
	}
	if p.label == "" {
		return j
	}
	place := l.class(trailer(p.label))
	if place == beside && p.loose {
		place = lesser
	}
	if j.bare && !j.alone() {
		return j
	}
	if j.class == plain || p.firm && place >= lesser {
		j.class = place
	}
	j.label += "|" + p.label
	return j
}

// more says whether a text says more than the words of its class.
func (l *labels) more(text string, c class) bool {
	if l[c].pattern == nil {
		return false
	}
	rest := currencyText.ReplaceAllString(l[c].pattern.ReplaceAllString(text, " "), " ")
	return strings.ContainsFunc(fillers.ReplaceAllString(rest, " "), unicode.IsLetter)
}

// fillers stand between a label and its number.
var fillers = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:from|only|just|is|of|ab|ca|nur|vanaf|slechts|à partir de|desde|da|od|fra|från|per|pro|month|monat|mois|mes|maand)(?:[^\pL]|$)`)

// ahead is the label in the words before a figure, and behind another one where
// there is a gap.
func (l *labels) ahead(text string, gap bool) string {
	text = text[max(0, len(text)-80):]
	if !hasWords(text) {
		return text
	}
	for i, phrase := range []sieve{partOf, added} {
		at := phrase.FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		if l.class(text[:at[0]]) < plain || !gap && i == 0 {
			text = text[:at[0]] + " " + text[at[1]:]
		}
	}
	text = cutOut(text, absent, included)
	for _, cut := range slices.Backward(parting.FindAllStringIndex(text, -1)) {
		mark, rest := text[cut[0]], text[cut[1]:]
		switch {
		case mark == '+':
			return text[cut[0]:]
		case strings.Trim(rest, " :"+seam) != "" || strings.IndexByte("()[]", mark) < 0:
			return rest
		}
	}
	return text
}

// cutOut takes such phrases out of a text.
func cutOut(text string, phrases ...sieve) string {
	for _, phrase := range phrases {
		if phrase.mayMatch(text) {
			text = phrase.pattern.ReplaceAllString(text, " ")
		}
	}
	return text
}

// tail is what stands right behind a figure: up to the next mark, or the words in
// brackets.
func tail(text string) string {
	text = text[:min(len(text), 60)]
	if inside, _, closed := strings.Cut(text, ")"); closed && strings.HasPrefix(strings.TrimLeft(inside, " "+seam), "(") {
		return inside
	}
	if at := parting.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	if at := strings.IndexAny(text, "0123456789"); at >= 0 {
		return "" // it is another number's
	}
	return text
}

// trailer is the label behind a figure, without what is said of the rent itself.
func trailer(behind string) string {
	if !hasWords(behind) {
		return ""
	}
	behind = cutOut(behind, partOf, absent, added, included)
	first, _, _ := strings.Cut(strings.TrimLeft(behind, " "+seam), seam)
	return first
}

// rank orders the classes. A description speaks after the price that stands by
// itself, as it names deposits, charges and instalments as well.
func (j judged) rank() class {
	if j.class <= plain && j.long() {
		return j.class + lesser - 1
	}
	if j.class == lesser {
		return 2*lesser + j.class
	}
	return j.class
}

// best is the first of the best rank.
func best(all []judged) (judged, bool) {
	all = slices.DeleteFunc(slices.Clone(all), func(j judged) bool { return j.class == beside || j.amount == 0 || j.bare && j.class > asked })
	if len(all) == 0 {
		return judged{}, false
	}
	return slices.MinFunc(all, func(a, b judged) int { return int(a.rank() - b.rank()) }), true
}

// alone says whether nothing but the figure stands in its text.
func (j judged) alone() bool {
	rest := j.passage.text[:j.start] + j.passage.text[j.end:]
	return !strings.ContainsFunc(currencyText.ReplaceAllString(rest, ""), unicode.IsLetter)
}

// long says whether the figure stands in a description.
func (j judged) long() bool {
	return slices.ContainsFunc(strings.Split(j.passage.text, seam), func(piece string) bool { return len(piece) > longLine })
}

const longLine = 60
