package tray

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes one line of what a portal wrote: valid UTF-8 without control,
// direction and other invisible characters, with single plain spaces, at most max
// runes long. A NUL or an invalid byte in one label would cost the whole menu, and
// a right-to-left override would turn the rest of a line around.
func clean(s string, max int) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			b.WriteByte(' ')
		case r == utf8.RuneError || invisible(r):
		default:
			b.WriteRune(r)
		}
	}
	return cut(strings.Join(strings.Fields(b.String()), " "), max)
}

// joiner holds the parts of a composed emoji together; it is the one invisible
// character that may stay.
const joiner = '\u200d'

// invisible are the characters that change how others are shown (bidirectional
// marks among them), private ones and surrogates.
func invisible(r rune) bool {
	return r != joiner && unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp)
}

// cut shortens s to max runes, the last of them an ellipsis. It does not part a
// letter from the accents that follow it.
func cut(s string, max int) string {
	if max <= 0 {
		return ""
	}
	if utf8.RuneCountInString(s) <= max {
		return s
	}
	r := []rune(s)
	end := max - 1
	for end > 0 && (unicode.Is(unicode.M, r[end]) || r[end] == joiner || r[end-1] == joiner) {
		end--
	}
	return strings.TrimRight(string(r[:end]), " ,.;:-") + "…"
}

// escapeMnemonic doubles the character that marks a letter to press in the menus
// of one system (a GOOS), so that it is shown as it is.
func escapeMnemonic(label, goos string) string {
	switch goos {
	case "windows":
		return strings.ReplaceAll(label, "&", "&&")
	case "darwin":
		return label
	}
	return strings.ReplaceAll(label, "_", "__")
}

// tooltipUnits is what the library has room for in a tooltip, in UTF-16 units
// without the end mark. Where a system does not know the size of the library's
// record, as Wine does not, only half of it is read and a longer text not ended.
const (
	tooltipUnits        = 127
	windowsTooltipUnits = 63
)

// fitTooltip cuts s to what can be shown on one system (a GOOS).
func fitTooltip(s, goos string) string {
	most := tooltipUnits
	if goos == "windows" {
		most = windowsTooltipUnits
	}
	for max := utf8.RuneCountInString(s); units(s) > most; max-- {
		s = cut(s, max)
	}
	return s
}

func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
