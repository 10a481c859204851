package browser

import (
	"net/url"
	"regexp"
	"strings"
)

// listingID is the id in a link whose portal is not known: in the path, in the
// query, or in the fragment. It is "" when nothing there looks like one.
func listingID(u *url.URL) string {
	if id := pathID(u); id != "" {
		return normalID(id)
	}
	if id := queryID(u); id != "" {
		return normalID(id)
	}
	if r := routeOf(u); r != nil {
		return listingID(r)
	}
	return ""
}

// pathID is the strongest id in a URL's path, nearest to its end; "" for none.
// Short numbers count only as a whole segment: they are too common inside words.
func pathID(u *url.URL) string {
	parts := pathOf(u)
	best, strength := "", 0
	for i := len(parts) - 1; i >= 0; i-- {
		if id, s := segmentID(parts[i]); s > strength {
			best, strength = id, s
		}
	}
	return best
}

// segmentID finds the id in one path segment and how much it looks like one.
func segmentID(segment string) (id string, strength int) {
	if strings.Contains(segment, ".") {
		segment = extension.ReplaceAllString(segment, "")
	}
	if s := idToken(segment); s > 0 {
		return segment, s
	}
	if len(segment) > uuidLength {
		if m := uuidInside.FindString(segment); m != "" {
			return m, 9
		}
	}
	if numbered(segment) {
		return segment, 7 // "1771-14563-258": a house, a staircase and a flat
	}
	words := strings.FieldsFunc(segment, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ',' || r == '~' })
	if len(words) < 2 {
		return "", 0
	}
	// The id stands first or last; numbers in the middle are streets and rooms.
	for _, w := range []string{words[len(words)-1], words[0]} {
		s := idToken(w)
		if only(w, 5, 12, isCapital) && strings.ToUpper(segment) != segment {
			s = max(s, 5) // capitals at the end of a slug in small letters
		}
		if s >= 4 && s > strength {
			id, strength = w, s
		}
	}
	if id == "" {
		for _, w := range words {
			if s := idToken(w); s >= 5 {
				id, strength = w, s
			}
		}
	}
	return id, strength
}

const uuidLength = 36

var (
	extension  = regexp.MustCompile(`(?i)\.(html?|php|aspx?|jsp|pl|cfm|do)$`)
	uuidInside = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	uuidWhole  = regexp.MustCompile(`(?i)^\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$`)
	longNumber = regexp.MustCompile(`\d{5}`)
	numbers    = regexp.MustCompile(`^\d+(?:[-_.]\d+)+$`)
)

// numbered says whether a segment is made of numbers, of which one is long or
// there are three.
func numbered(segment string) bool {
	if segment == "" || !isDigit(segment[0]) || !numbers.MatchString(segment) {
		return false
	}
	return strings.Count(segment, "-")+strings.Count(segment, ".")+strings.Count(segment, "_") > 1 || longNumber.MatchString(segment)
}

// idToken says how much a word looks like an id: 0 not at all, 1 to 3 a short
// number, 4 and more something that nobody would write by hand.
func idToken(word string) int {
	switch {
	case len(word) >= 32 && uuidWhole.MatchString(word):
		return 9
	case only(word, 1, len(word), isDigit):
		switch n := len(word); {
		case n >= 6 && n <= 20:
			return 8
		case n == 5:
			return 6
		case n == 4 && (word < "1900" || word > "2100"):
			return 4
		case n <= 4:
			return min(n, 3)
		}
		return 0
	case only(word, 6, 40, isHex) && strings.ContainsAny(word, "0123456789"):
		return 7
	case prefixed(word):
		return 5
	case only(word, 5, 32, isAlphanumeric) && mixed(word):
		return 5
	}
	return 0
}

// Every word of every link is looked at, so these are loops and no patterns.

// only says whether a word has between least and most bytes, all of one kind.
func only(word string, least, most int, kind func(c byte) bool) bool {
	if len(word) < least || len(word) > most {
		return false
	}
	for i := range len(word) {
		if !kind(word[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool        { return c >= '0' && c <= '9' }
func isCapital(c byte) bool      { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool       { return isCapital(c) || c >= 'a' && c <= 'z' }
func isHex(c byte) bool          { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isAlphanumeric(c byte) bool { return isDigit(c) || isLetter(c) }

// prefixed says whether a word is a number behind a few letters: "ID123456".
func prefixed(word string) bool {
	letters := 0
	for letters < len(word) && isLetter(word[letters]) {
		letters++
	}
	return letters >= 1 && letters <= 6 && only(word[letters:], 3, 12, isDigit)
}

// mixed says whether letters of both cases or letters and digits alternate in a
// way that words do not: "4bXyZ", "k3f9q", and neither "Amsterdam" nor "zip1003".
func mixed(word string) bool {
	changes, kind := 0, 0
	for i := range len(word) {
		k := 1
		switch c := word[i]; {
		case c >= '0' && c <= '9':
			k = 2
		case c >= 'A' && c <= 'Z':
			k = 3
		}
		if i > 0 && k != kind && !(i == 1 && kind == 3 && k == 1) {
			changes++
		}
		kind = k
	}
	return changes >= 2
}
