package browser

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// canonicalBefore is the canonical form by the rule of the program's first round,
// under which older ledgers hold their listings: at the first check by a changed
// reader a listing is looked for under it too. It is never mended. It can go when
// no ledger older than this rule is in use: a ledger notes its reader, and three
// months without a check is as good as a first one.
func canonicalBefore(u *url.URL) string {
	var b strings.Builder
	b.WriteString(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."))
	path := strings.TrimRight(pathBefore(u), "/")
	b.WriteString(path)
	if pathSufficed(u) {
		return b.String()
	}
	if q := queryBefore(u); q != "" {
		b.WriteString("?" + q)
	}
	if f := u.EscapedFragment(); pathID(u) == "" && routeBefore.MatchString(f) && idToken(f[strings.LastIndexAny(f, "/!")+1:]) > 0 {
		b.WriteString("#" + f)
	}
	return b.String()
}

// pathSufficed says whether the path alone names a listing: an id at its end, or
// a long one anywhere. A short number further up may be a postcode or a page.
func pathSufficed(u *url.URL) bool {
	parts := strings.Split(strings.Trim(pathBefore(u), "/"), "/")
	for i, part := range parts {
		if _, s := segmentID(part); s >= 8 || s >= 5 && i == len(parts)-1 {
			return true
		}
	}
	return false
}

// routeBefore is the fragment of a page that keeps its routes there: #/x, #!x.
var routeBefore = regexp.MustCompile(`^!?/?[\w!/-]*/[\w-]+$|^![\w-]+`)

func pathBefore(u *url.URL) string {
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

func queryBefore(u *url.URL) string {
	var ids, rest []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, _ = url.QueryUnescape(strings.TrimLeft(name, "?"))
		if name == "" || value == "" || trackingBefore.MatchString(name) {
			continue
		}
		plain, err := url.QueryUnescape(value)
		if err != nil {
			plain = value
		}
		clean := url.QueryEscape(name) + "=" + url.QueryEscape(plain)
		if idParameterBefore(name, plain) {
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
	// trackingBefore are query parameters that never decide which page is shown.
	trackingBefore = regexp.MustCompile(`(?i)^(utm_.*|ga_.*|mc_[ce]id|pk_.*|mtm_.*|piwik_.*|hsa_.*|[gdy]?clid|gclsrc|[gw]braid|fbclid|msclkid|yclid|igshid|ttclid|twclid|_ga|_gl|ref|refer|referr?er|from|source|src|origin|campaign|cmp(id)?|trackingBefore.*|trk.*|sid|sess(ion)?(_?id)?|phpsessid|jsessionid|cfid|cftoken|position|pos|rank|index|listing_click|click.*|back.*|return.*|redirect.*|serp_view|search|search_?results?|search_?id|searchparams?|results?|featured|promoted|highlight(ed)?|sort.*|order.*|feature_.*|.*ab_?test|channel|view|mode|tab|lang|language|locale|hl|currency|viewport|cache|ts|timestamp|rnd|random|nonce)$`)
	// idNameBefore are parameters that carry the id of what is shown.
	idNameBefore     = regexp.MustCompile(`(?i)^(.*[_-]?id|id.*|.*Id|p|n|nr|no|num|number|ref(erence)?|code|object|objekt|property|listing|expose|ad|annonce|anuncio|item|unit|room|key|guid|uuid|oid|pid|lid)$`)
	quantityBefore   = regexp.MustCompile(`(?i)price|preis|prijs|prix|precio|prezzo|rent|min|max|from|to$|budget|lat|lng|lon|zoom|radius|date|time|area|size|bounds|phone|tel`)
	searchNameBefore = regexp.MustCompile(`(?i)(search|session|city|region|area|location|loc|agent|user|client|campaign|page|category|cat|type)[_-]?id$`)
)

// idParameterBefore says whether a query parameter carries the id of what is shown: by
// its name, or by a value that is nothing else.
func idParameterBefore(name, value string) bool {
	s := idToken(value)
	if s == 0 || trackingBefore.MatchString(name) || searchNameBefore.MatchString(name) {
		return false
	}
	return idNameBefore.MatchString(name) || s >= 7 && !quantityBefore.MatchString(name)
}
