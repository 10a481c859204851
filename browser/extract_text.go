package browser

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is the longest text of a listing, in runes. It is the length of a long
// headline; whatever is longer is a description that lost its way.
const maxText = 300

// inline are elements that do not end a line.
var inline = map[string]bool{
	"a": true, "span": true, "b": true, "i": true, "em": true, "strong": true, "small": true, "sup": true, "sub": true,
	"u": true, "s": true, "mark": true, "time": true, "abbr": true, "label": true, "font": true, "bdi": true, "data": true, "": true,
}

// seam stands between two texts of different elements that share a line. It is
// shown as a space, but a number does not reach across it: "Park Lane 1" beside
// "410 €" is not 1,410 €.
const seam = "\x1f"

// lines are the texts below node i as a reader sees them, one for each block.
// What is hidden is left out.
func (s *snapshot) lines(i int) []string { return cleaned(s.rawLines(i)) }

// cleaned are the raw lines that say something.
func cleaned(raw []string) []string {
	out := make([]string, 0, len(raw))
	for _, line := range raw {
		if text := clean(line); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// rawLines are lines as they are written, with a seam between elements.
func (s *snapshot) rawLines(i int) []string {
	var out []string
	for _, r := range s.runs(i, func(*node) bool { return false }) {
		out = append(out, r.text)
	}
	return out
}

// run is one raw line, and the first text node of it.
type run struct {
	text string
	node int
}

// runs are the raw lines below node i, without the elements that skip names.
func (s *snapshot) runs(i int, skip func(n *node) bool) []run {
	var out []run
	var line strings.Builder
	begin := 0
	flush := func() {
		if line.Len() > 0 {
			out = append(out, run{line.String(), begin})
		}
		line.Reset()
	}
	last := i
	for j := i; j < s.Nodes[i].end; j++ {
		n := &s.Nodes[j]
		if n.Hidden != 0 || skip(n) {
			flush()
			j = n.end - 1
			continue
		}
		if n.Tag != "" {
			if !inline[n.Tag] {
				flush()
			}
			continue
		}
		if s.blockBetween(last, j) {
			flush()
		}
		if line.Len() == 0 {
			begin = j
		}
		s.join(&line, j, flush)
		last = j
	}
	flush()
	return out
}

// join adds text node i to a line. Where the text breaks, the line is flushed.
func (s *snapshot) join(line *strings.Builder, i int, flush func()) {
	first := true
	for text := range strings.SplitSeq(s.Nodes[i].Text, "\n") {
		if !first {
			flush()
		}
		first = false
		if line.Len() > 0 && apart(line.String(), text, s.Nodes[max(s.Nodes[i].Parent, 0)].Tag) {
			line.WriteString(seam)
		}
		line.WriteString(text)
	}
}

// blockBetween says whether a block ends or begins between two texts.
func (s *snapshot) blockBetween(from, to int) bool {
	block := func(a, b int) bool {
		for i := a; i >= 0 && !s.within(b, i); i = s.Nodes[i].Parent {
			if !inline[s.Nodes[i].Tag] {
				return true
			}
		}
		return false
	}
	return block(from, to) || block(to, from)
}

// apart says whether two texts of neighbouring elements are apart. Most are set
// apart by style, but "1." and "250", or "m" and a raised "2", read as one.
func apart(before, after, tag string) bool {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	switch {
	case tag == "sup" || tag == "sub":
		return false
	case b == '.' || b == ',' || b == '%':
		return false
	case len(before) > 1 && (a == '.' || a == ','):
		digit := func(r rune) bool { return r >= '0' && r <= '9' }
		return !digit(b) || !digit(rune(before[len(before)-2]))
	}
	return true
}

// text is everything below node i on one line.
func (s *snapshot) text(i int) string { return clean(strings.Join(s.rawLines(i), " ")) }

// clean makes a text fit for a menu, a header and a banner: valid UTF-8, one
// line, single spaces, no controls and nothing that turns the reading direction,
// at most maxText runes.
func clean(text string) string {
	if isClean(text) {
		return text
	}
	var b strings.Builder
	space, count := false, 0
	for _, r := range text {
		switch {
		case r == utf8.RuneError, invisible(r):
			continue
		case unicode.IsSpace(r), unicode.IsControl(r):
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			count++
			space = false
		}
		if count >= maxText {
			return strings.TrimSpace(b.String()) + "…"
		}
		b.WriteRune(r)
		count++
	}
	return b.String()
}

// isClean says whether a text is fit already, as nearly all are: printable ASCII
// in single spaces.
func isClean(text string) bool {
	if len(text) > maxText {
		return false
	}
	last := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return text == "" || last != ' '
}

// invisible are characters without a picture that change how others are shown:
// overrides and isolates of the reading direction, zero-width ones, soft hyphens.
func invisible(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x061C:
		return true
	case r >= 0x200B && r <= 0x200F, r >= 0x2060 && r <= 0x2064, r == 0xFEFF, r == 0x00AD:
		return true
	}
	return unicode.Is(unicode.Co, r) || unicode.Is(unicode.Cs, r)
}
