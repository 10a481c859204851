package mail

import (
	"strings"
	"unicode"
)

// clean makes one harmless line of text that came from outside. Line ends and
// other controls become spaces, invalid UTF-8 is marked, and the invisible
// characters that reorder or hide text are dropped; what emoji and Persian need
// (joiners, the letters of regional flags) stays.
func clean(s string) string {
	var out strings.Builder
	space := false
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			space = out.Len() > 0
		case unicode.Is(unicode.Cf, r) && !keptFormat(r):
		default:
			if space {
				out.WriteByte(' ')
				space = false
			}
			out.WriteRune(r)
		}
	}
	return out.String()
}

// keptFormat are the zero-width joiner and non-joiner and the tags of flags.
func keptFormat(r rune) bool {
	return r == '\u200C' || r == '\u200D' || 0xE0020 <= r && r <= 0xE007F
}

// shorten cuts s to at most limit characters, the last of them an ellipsis. It
// does not leave half of a joined emoji or a letter without its accent.
func shorten(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	end := limit - 1
	for end > 0 && (clings(runes[end]) || runes[end-1] == '\u200D') {
		end--
	}
	if end == 0 { // nothing but one endless cluster
		end = limit - 1
	}
	return strings.TrimRight(string(runes[:end]), " ,;:·") + "…"
}

// clings says whether r belongs to the character before it.
func clings(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc, unicode.Variation_Selector) || keptFormat(r) ||
		0x1F3FB <= r && r <= 0x1F3FF // skin tones
}
