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

// lines are the texts below node i as a reader sees them, one for each block.
// What is hidden is left out.
func (s *snapshot) lines(i int) []string {
	var out []string
	var line strings.Builder
	flush := func() {
		if text := clean(line.String()); text != "" {
			out = append(out, text)
		}
		line.Reset()
	}
	last := i
	for j := i; j < s.Nodes[i].end; j++ {
		n := &s.Nodes[j]
		if n.Hidden != 0 && n.Tag != "" {
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
		if n.Hidden != 0 {
			continue
		}
		if s.blockBetween(last, j) {
			flush()
		}
		if line.Len() > 0 && needsSpace(line.String(), n.Text) {
			line.WriteByte(' ')
		}
		line.WriteString(n.Text)
		last = j
	}
	flush()
	return out
}

// blockBetween says whether a block ends between two texts.
func (s *snapshot) blockBetween(from, to int) bool {
	for i := from; i >= 0 && !s.within(to, i); i = s.Nodes[i].Parent {
		if !inline[s.Nodes[i].Tag] {
			return true
		}
	}
	return false
}

// needsSpace says whether two texts of neighbouring elements are apart: most are
// set apart by style, but "1." and "250" or "2.000" and "€" read as one.
func needsSpace(before, after string) bool {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	if unicode.IsSpace(a) || unicode.IsSpace(b) {
		return false
	}
	return !(a == '.' || a == ',' || b == '.' || b == ',' || b == '%')
}

// text is everything below node i on one line.
func (s *snapshot) text(i int) string { return strings.Join(s.lines(i), " ") }

// clean makes a text fit for a menu, a header and a banner: valid UTF-8, one
// line, single spaces, no controls and nothing that turns the reading direction,
// at most maxText runes.
func clean(text string) string {
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

// invisible are characters without a picture that change how others are shown:
// overrides and isolates of the reading direction, zero-width ones, soft hyphens.
func invisible(r rune) bool {
	switch {
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x061C:
		return true
	case r >= 0x200B && r <= 0x200F, r >= 0x2060 && r <= 0x2064, r == 0xFEFF, r == 0x00AD:
		return true
	}
	return unicode.Is(unicode.Co, r) || unicode.Is(unicode.Cs, r)
}
