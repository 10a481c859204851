package tray

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCleanMakesOneSafeLine(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "Two rooms", "Two rooms"},
		{"NUL", "a\x00b", "a b"},
		{"invalid UTF-8", "a\xff\xfeb", "ab"},
		{"newlines and tabs", " a\r\n\tb\u2028c\u2029d ", "a b c d"},
		{"no-break and thin spaces", "€\u00a01\u2009450", "€ 1 450"},
		{"escape sequence", "a\x1b[31mred", "a [31mred"},
		{"right-to-left override", "abc\u202etxt.exe\u202c", "abctxt.exe"},
		{"isolates and marks", "\u2066a\u2069\u200f\u061cb", "ab"},
		{"zero width and soft hyphen", "a\u200bb\ufeffc\u00add", "abcd"},
		{"private use", "a\ue000b", "ab"},
		{"emoji family stays whole", "👨\u200d👩\u200d👧 flat", "👨\u200d👩\u200d👧 flat"},
		{"markup is text", "<b>x</b> & $(y) ]]>", "<b>x</b> & $(y) ]]>"},
		{"replacement character", "a\ufffdb", "ab"},
		{"nothing", "\u200b \x01", ""},
	} {
		if got := clean(c.in, 60); got != c.want {
			t.Errorf("%s: clean(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func TestCleanCutsBetweenCharacters(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdef", 5, "abcd…"},
		{"abc, def", 5, "abc…"},
		{"ae\u0301e\u0301z", 3, "a…"},  // the accent stays with its letter
		{"a👨\u200d👩\u200d👧b", 5, "a…"}, // the family stays whole
		{"abc", 0, ""},
	} {
		if got := clean(c.in, c.max); got != c.want {
			t.Errorf("clean(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func TestCleanHoldsForEveryText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		max := rapid.IntRange(0, 80).Draw(t, "max")
		out := clean(in, max)
		switch {
		case !utf8.ValidString(out):
			t.Fatalf("%q is not valid UTF-8", out)
		case utf8.RuneCountInString(out) > max:
			t.Fatalf("%q is longer than %d runes", out, max)
		case strings.ContainsAny(out, "\x00\r\n\t\u202e\u2066"):
			t.Fatalf("%q holds what does not belong there", out)
		case clean(out, max) != out:
			t.Fatalf("cleaning %q again gives %q", out, clean(out, max))
		}
	})
}

func TestMnemonicsAreEscapedPerSystem(t *testing.T) {
	for goos, want := range map[string]string{
		"linux": "rooms__&__flats", "freebsd": "rooms__&__flats", "windows": "rooms_&&_flats", "darwin": "rooms_&_flats",
	} {
		if got := escapeMnemonic("rooms_&_flats", goos); got != want {
			t.Errorf("%s: %q, want %q", goos, got, want)
		}
	}
}

// A longer tooltip is not terminated on Windows.
func TestTooltipFits(t *testing.T) {
	for goos, most := range map[string]int{"windows": windowsTooltipUnits, "linux": tooltipUnits} {
		for _, s := range []string{strings.Repeat("a", 300), strings.Repeat("🏠", 100), "short"} {
			got := fitTooltip(s, goos)
			if n := units(got); n > most || n == 0 || s == "short" && got != s {
				t.Errorf("%s: tooltip of %d units: %q", goos, n, got)
			}
		}
	}
}
