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
	s := idToken(value)
	if s == 0 || tracking.MatchString(name) || searchName.MatchString(name) {
		return false
	}
	return idName.MatchString(name) || s >= 7 && !quantity.MatchString(name)
}

func lastPart(s string) string {
	return s[strings.LastIndexAny(s, "/!")+1:]
}
