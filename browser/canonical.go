package browser

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// canonical is host (without port and "www."), path and meaningful query of a
// link: the same for every link to one listing, and for nothing else. It depends
// on the link alone and not on the page around it, so that it stays the same
// from check to check.
//
// When the path says unmistakably which listing it is, the query only says where
// the visitor came from. Otherwise the parameters that look like an id are kept,
// and if there are none, all but the tracking ones. A fragment is kept where the
// id is in it.
func canonical(u *url.URL) string {
	var b strings.Builder
	b.WriteString(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."))
	path := strings.TrimRight(cleanPath(u), "/")
	b.WriteString(path)
	if pathSuffices(u) {
		return b.String()
	}
	if q := meaningfulQuery(u); q != "" {
		b.WriteString("?" + q)
	}
	if f := u.EscapedFragment(); pathID(u) == "" && fragmentRoute.MatchString(f) && idToken(lastPart(f)) > 0 {
		b.WriteString("#" + f)
	}
	return b.String()
}

// pathSuffices says whether the path alone names a listing: an id at its end, or
// a long one anywhere. A short number further up may be a postcode or a page.
func pathSuffices(u *url.URL) bool {
	parts := strings.Split(strings.Trim(cleanPath(u), "/"), "/")
	for i, part := range parts {
		if _, s := segmentID(part); s >= 8 || s >= 5 && i == len(parts)-1 {
			return true
		}
	}
	return false
}

// fragmentRoute is the fragment of a page that keeps its routes there: #/x, #!x.
var fragmentRoute = regexp.MustCompile(`^!?/?[\w!/-]*/[\w-]+$|^![\w-]+`)

func cleanPath(u *url.URL) string {
	path := u.EscapedPath()
	if plain, err := url.PathUnescape(path); err == nil {
		path = (&url.URL{Path: plain}).EscapedPath()
	}
	// A session id in the path (";jsessionid=…") is not part of the address.
	if i := strings.IndexByte(path, ';'); i >= 0 {
		path = path[:i]
	}
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return path
}

func meaningfulQuery(u *url.URL) string {
	var ids, rest []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, _ = url.QueryUnescape(strings.TrimLeft(name, "?"))
		if name == "" || value == "" || tracking.MatchString(name) {
			continue
		}
		plain, err := url.QueryUnescape(value)
		if err != nil {
			plain = value
		}
		clean := url.QueryEscape(name) + "=" + url.QueryEscape(plain)
		if idParameter(name, plain) {
			ids = append(ids, clean)
		}
		rest = append(rest, clean)
	}
	if len(ids) > 0 {
		rest = ids
	}
	slices.Sort(rest)
	return strings.Join(slices.Compact(rest), "&")
}

var (
	// tracking are query parameters that never decide which page is shown.
	tracking = regexp.MustCompile(`(?i)^(utm_.*|ga_.*|mc_[ce]id|pk_.*|mtm_.*|piwik_.*|hsa_.*|[gdy]?clid|gclsrc|[gw]braid|fbclid|msclkid|yclid|igshid|ttclid|twclid|_ga|_gl|ref|refer|referr?er|from|source|src|origin|campaign|cmp(id)?|tracking.*|trk.*|sid|sess(ion)?(_?id)?|phpsessid|jsessionid|cfid|cftoken|position|pos|rank|index|listing_click|click.*|back.*|return.*|redirect.*|serp_view|search|search_?results?|search_?id|searchparams?|results?|featured|promoted|highlight(ed)?|sort.*|order.*|feature_.*|.*ab_?test|channel|view|mode|tab|lang|language|locale|hl|currency|viewport|cache|ts|timestamp|rnd|random|nonce)$`)
	// display are those of them that may still decide how the page is shown: they
	// say nothing of the listing, but a link is opened with them.
	display = regexp.MustCompile(`(?i)^(lang|language|locale|hl|currency|view|mode|tab|channel|index|sort.*|order.*|from|source|src|origin|results?)$`)
	// idName are parameters that carry the id of what is shown.
	idName     = regexp.MustCompile(`(?i)^(.*[_-]?id|id.*|.*Id|p|n|nr|no|num|number|ref(erence)?|code|object|objekt|property|listing|expose|ad|annonce|anuncio|item|unit|room|key|guid|uuid|oid|pid|lid)$`)
	quantity   = regexp.MustCompile(`(?i)price|preis|prijs|prix|precio|prezzo|rent|min|max|from|to$|budget|lat|lng|lon|zoom|radius|date|time|area|size|bounds|phone|tel`)
	searchName = regexp.MustCompile(`(?i)(search|session|city|region|area|location|loc|agent|user|client|campaign|page|category|cat|type)[_-]?id$`)
)

// idParameter says whether a query parameter carries the id of what is shown: by
// its name, or by a value that is nothing else.
func idParameter(name, value string) bool {
	if tracking.MatchString(name) || searchName.MatchString(name) {
		return false
	}
	s := idToken(value)
	return s > 0 && idName.MatchString(name) || s >= 7 && !quantity.MatchString(name)
}

// pathID is the strongest id in a URL's path, nearest to its end; "" for none.
// Short numbers count only as a whole segment: they are too common inside words.
func pathID(u *url.URL) string {
	parts := strings.Split(strings.Trim(cleanPath(u), "/"), "/")
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
	segment = extension.ReplaceAllString(segment, "")
	if s := idToken(segment); s > 0 {
		return segment, s
	}
	if m := uuidInside.FindString(segment); m != "" {
		return m, 9
	}
	if numbers.MatchString(segment) && (strings.Count(segment, "-")+strings.Count(segment, ".")+strings.Count(segment, "_") > 1 || longNumber.MatchString(segment)) {
		return segment, 7 // "1771-14563-258": a house, a staircase and a flat
	}
	words := strings.FieldsFunc(segment, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ',' || r == '~' })
	if len(words) < 2 {
		return "", 0
	}
	// The id stands first or last; numbers in the middle are streets and rooms.
	for _, w := range []string{words[len(words)-1], words[0]} {
		s := idToken(w)
		if capitals.MatchString(w) && strings.ToUpper(segment) != segment {
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

var (
	extension  = regexp.MustCompile(`(?i)\.(html?|php|aspx?|jsp|pl|cfm|do)$`)
	uuidInside = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	uuidWhole  = regexp.MustCompile(`(?i)^\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$`)
	longNumber = regexp.MustCompile(`\d{5}`)
	numbers    = regexp.MustCompile(`^\d+(?:[-_.]\d+)+$`)
	capitals   = regexp.MustCompile(`^[A-Z]{5,12}$`)
	digits     = regexp.MustCompile(`^\d+$`)
	hexadecim  = regexp.MustCompile(`(?i)^[0-9a-f]{6,40}$`)
	prefixed   = regexp.MustCompile(`^[A-Za-z]{1,6}\d{3,12}$`)
	base62     = regexp.MustCompile(`^[A-Za-z0-9]{5,32}$`)
)

// idToken says how much a word looks like an id: 0 not at all, 1 to 3 a short
// number, 4 and more something that nobody would write by hand.
func idToken(word string) int {
	switch {
	case uuidWhole.MatchString(word):
		return 9
	case digits.MatchString(word):
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
	case hexadecim.MatchString(word) && strings.ContainsAny(word, "0123456789"):
		return 7
	case prefixed.MatchString(word):
		return 5
	case base62.MatchString(word) && mixed(word):
		return 5
	}
	return 0
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

func lastPart(s string) string {
	return s[strings.LastIndexAny(s, "/!")+1:]
}

// listingID is the id in a link whose portal is not known: in the path, in the
// query, or in the fragment. It is "" when nothing there looks like one.
func listingID(u *url.URL) string {
	if id := pathID(u); id != "" {
		return strings.ToLower(id)
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if idParameter(name, value) {
			return strings.ToLower(value)
		}
	}
	if f := lastPart(u.Fragment); idToken(f) >= 4 {
		return strings.ToLower(f)
	}
	return ""
}
