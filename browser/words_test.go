package browser

import (
	"slices"
	"strings"
	"testing"
)

func TestSieveKnowsWhatAPatternNeeds(t *testing.T) {
	tests := []struct {
		pattern string
		want    []string
	}{
		{`(?i)captcha`, []string{"captcha"}},
		{`(?i)\b(?:no|zero) (?:\w+ ){0,3}(?:results?|rooms?|homes?)\b`, []string{"home", "result", "room"}},
		{`nothing (?:here|matches)|zł`, []string{"nothing here", "nothing matches", "zł"}},
		{`loading|logo|lo`, []string{"lo"}},
		{`loading|(logo)|local[ei]`, []string{"loading", "local", "logo"}},
		{`(?:abc){2}d*`, []string{"abc"}},
		{`(?:abc)?`, nil},
		{`robot|\d+`, nil}, // a number alone matches
		{`x(?:robot|\d+)`, []string{"x"}},
	}
	for _, tt := range tests {
		if got := newSieve(tt.pattern).words; !slices.Equal(got, tt.want) {
			t.Errorf("%s needs %q, want %q", tt.pattern, got, tt.want)
		}
	}
}

// A sieve answers as its pattern does, and is worth its while: each has words.
func TestSievesAnswerAsTheirPatterns(t *testing.T) {
	texts := []string{
		"Ben je een ROBOT?", "Keine Treffer", "Ni JESTEŚ un robotem", "0 Wohnungen", "Vergelijkbare woningen", "Ähnliche Angebote", "ÄHNLICHE ANGEBOTE", "500 Kč", "a-kr-b", "kraan",
		"/img/No-Photo.JPG", "/x.svg", "/x.svg?1", "/x.svgz", "We use cookies and similar things", "deposit: ", "+ ", "nk ", "Contact us", "contactless", "www.facebook.com/sharer",
		"maps.example/x", "www.google.de/maps/place", "Žádné výsledky", "Couldn’t find any", "Results just outside your area", "", "€", strings.Repeat("a b ", 60),
	}
	for name, s := range map[string]sieve{
		"robotTitle": robotTitle, "robotText": robotText, "robotHosts": robotHosts, "noneText": noneText, "goneText": goneText, "notThisSearch": notThisSearch, "consentText": consentText,
		"other": other, "away": away, "noPicture": noPicture, "elsewhere": elsewhere, "onDate": onDate, "countOne": countOne,
	} {
		if len(s.words) == 0 {
			t.Errorf("%s needs no word", name)
		}
		for _, text := range texts {
			if got, want := s.MatchString(text), s.pattern.MatchString(text); got != want {
				t.Errorf("%s of %q: %v, its pattern says %v", name, text, got, want)
			}
		}
	}
}
