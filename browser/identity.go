package browser

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"notifio.app/notifio/assets"
)

// This file is the one rule for what makes two links one listing. It goes by the
// link alone, so that it says the same from check to check, of a full page as of
// a page with one card; a page corrects it only towards keeping more (apart).
//
// A link has two names. canonical keeps everything but the host's "www." and
// "m.", the language, sessions and trackers. homeKey, where an id of at least six
// digits (or as unmistakable) stands in the path or query, also leaves out the
// words before it, which change with a title or a price. A home on record under
// either is known, which is why a page may correct the second one.

// canonical is host (without port), path, query and fragment of a link, without
// what never decides which home is shown.
func canonical(u *url.URL) string {
	return hostOf(u) + strings.Join(pathOf(u), "/") + queryOf(u) + fragmentOf(u)
}

// homeKey is the canonical form without the words before a long id; the canonical
// form itself where there is no such id.
func homeKey(u *url.URL) string {
	parts, named := pathOf(u), longID(queryID(u))
	at := longPart(parts)
	if at < 0 && !named {
		return canonical(u)
	}
	short := []string{""}
	for i, part := range parts {
		switch {
		case i == at:
			id, _ := segmentID(part)
			short = append(short, normalID(id))
		case part != "" && (at >= 0 && i > at || !slug.MatchString(part)):
			// What follows an id may be a flat of that building, and is kept.
			short = append(short, part)
		}
	}
	return hostOf(u) + strings.Join(short, "/") + queryOf(u)
}

// hostOf is a link's host in small letters and in punycode, as a browser writes it,
// without the names that a site gives to its pages for telephones.
func hostOf(u *url.URL) string {
	host := assets.PlainHost(u.Hostname())
	for {
		name, rest, _ := strings.Cut(host, ".")
		if name != "www" && name != "m" && name != "mobile" || !strings.Contains(rest, ".") {
			return host
		}
		host = rest
	}
}

// language is a first part of a path that says in which language it is shown.
var language = regexp.MustCompile(`^(?:bg|ca|cs|da|de|el|en|es|et|eu|fi|fr|gl|hr|hu|it|lt|lv|nb|nl|no|pl|pt|ro|ru|sk|sl|sv|tr|uk)(?:[-_][A-Za-z]{2})?$`)

// pathOf is a link's path in parts, the first one empty: without language,
// sessions and empty parts, and with ids of small and capital letters alike where
// those mean the same. A parameter of a part (";id=7") is kept.
func pathOf(u *url.URL) []string {
	parts := []string{""}
	for part := range strings.SplitSeq(u.EscapedPath(), "/") {
		words := strings.Split(part, ";")
		keep := words[:1]
		for _, w := range words[1:] {
			if name, value, _ := strings.Cut(w, "="); value != "" && trackers.kind(name) == "" {
				keep = append(keep, w)
			}
		}
		part = strings.Join(keep, ";")
		if plain, err := url.PathUnescape(part); err == nil {
			part = strings.ReplaceAll((&url.URL{Path: "/" + plain}).EscapedPath()[1:], "/", "%2F")
		}
		if part != "" {
			parts = append(parts, normalID(part))
		}
	}
	for (len(parts) > 2 || len(parts) == 2 && strings.Contains(u.Fragment, "/")) && language.MatchString(parts[1]) {
		parts = slices.Delete(parts, 1, 2)
	}
	return parts
}

// longPart is the last part of a path with a long id; -1 for none.
func longPart(parts []string) int {
	for i := len(parts) - 1; i > 0; i-- {
		if id, _ := segmentID(parts[i]); longID(id) && !strings.Contains(parts[i], ";") && !priced(parts[i], id) {
			return i
		}
	}
	return -1
}

// amount is a number that a currency follows.
var amount = regexp.MustCompile(`(?i)\d[-_. ]?(?:eur|euros?|gbp|usd|chf|czk|pln|sek|nok|dkk|huf|pcm|pm)(?:[-_.]|$)`)

func priced(part, id string) bool {
	_, after, _ := strings.Cut(part, id)
	return amount.MatchString("0" + after[:min(len(after), 7)])
}

// calendarDay is a number that is a date.
var calendarDay = regexp.MustCompile(`^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$`)

// longID says whether an id is so long that no two homes of a site share it by
// chance, as they share house numbers, postcodes and dates.
func longID(id string) bool {
	digits := 0
	for i := range len(id) {
		if isDigit(id[i]) {
			digits++
		}
	}
	switch {
	case uuidWhole.MatchString(id):
		return true
	case digits == len(id) || numbered(id):
		return digits >= 6 && !calendarDay.MatchString(id)
	case only(id, 8, 40, isHex), prefixed(id):
		return digits >= 5 || digits >= 2 && len(id) >= 8
	}
	return only(id, 6, 32, isAlphanumeric) && mixed(id) && digits > 0 && id != strings.ToLower(id) && id != strings.ToUpper(id)
}

// normalID is an id in small letters where capitals mean the same: a UUID or a
// hexadecimal number. Ids of letters in both cases are left as they are.
func normalID(id string) string {
	if uuidWhole.MatchString(id) || only(id, 6, 40, isHex) && id == strings.ToUpper(id) {
		return strings.ToLower(id)
	}
	return id
}

// tracker is one line of assets/trackers.txt.
type tracker struct{ name, kind string }

type trackerList []tracker

var trackers = readTrackers(assets.Trackers)

func readTrackers(text string) (out trackerList) {
	for line := range strings.Lines(text) {
		if f := strings.SplitN(strings.TrimSpace(line), "\t", 3); len(f) == 3 {
			out = append(out, tracker{f[0], f[1]})
		}
	}
	return out
}

// kind is what the list says of a parameter: "click", "visit" or "view"; "" where
// it is not on it.
func (l trackerList) kind(name string) string {
	name = strings.ToLower(name)
	for _, t := range l {
		head, tail, open := strings.Cut(t.name, "*")
		if name == t.name || open && len(name) >= len(t.name)-1 && strings.HasPrefix(name, head) && strings.HasSuffix(name, tail) {
			return t.kind
		}
	}
	return ""
}

// parameter is one parameter of a query, decoded.
type parameter struct{ name, value, raw string }

func parameters(u *url.URL) (out []parameter) {
	for raw := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(strings.TrimLeft(raw, "?"), "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		if name != "" && value != "" {
			out = append(out, parameter{name, value, raw})
		}
	}
	return out
}

var (
	// idName are parameters that carry the id of what is shown.
	idName = regexp.MustCompile(`(?i)^(.*[_-]?id|id.*|p|n|nr|no|num|number|ref(erence)?|code|object|objekt|property|listing|expose|ad|annonce|anuncio|item|unit|room|key|guid|uuid|oid|pid|lid)$`)
	// criterion are parameters in which a page of results passes its search on.
	criterion  = regexp.MustCompile(`(?i)(?:^|[-_])(?:page|beds|bedrooms|adults|guests|persons|photo|image|from|to|min|max|.*(?:price|preis|prijs|prix|precio|prezzo|budget|radius|zoom|area|size|bounds|date|time))(?:$|[-_])|^(?:lat|lng|lon|phone|tel)$`)
	searchName = regexp.MustCompile(`(?i)(?:search|session|city|region|area|location|loc|agent|user|client|campaign|page|category|cat|type)[_-]?id$`)
	// partValue is the value that names a flat of a building: "3", "12b".
	partValue = regexp.MustCompile(`^(?i:\d{1,4}[a-z]?|[a-z])$`)
	// script is a path that is a program, and names nothing by itself.
	script = regexp.MustCompile(`(?i)\.(?:php|aspx?|jsp|pl|cfm|do)$`)
)

// idParameter says whether a query parameter carries the id of what is shown: by
// its name, or by a value that is nothing else.
func idParameter(name, value string) bool {
	s := idToken(value)
	return s > 0 && trackers.kind(name) == "" && !searchName.MatchString(name) && (idName.MatchString(name) || s >= 7 && !criterion.MatchString(name))
}

// queryID is the first id in a link's query. Where nothing else in the link is one, a
// number under the name of a tracker is: under a name that ids have ("ref", "sid")
// before any other, which may be a place in the list.
func queryID(u *url.URL) string {
	all := parameters(u)
	for _, p := range all {
		if idParameter(p.name, p.value) {
			return p.value
		}
	}
	if pathID(u) != "" || routeOf(u) != nil {
		return ""
	}
	least := 4 // the path has words: a short number is a place in the list
	if script.MatchString(u.Path) {
		least = 1
	}
	best, strength := "", 0
	for _, p := range all {
		s := idToken(p.value)
		if kind := trackers.kind(p.name); kind != "visit" && kind != "view" || s < least {
			continue
		}
		if idName.MatchString(p.name) {
			s += 9 // more than any value is worth by itself
		}
		if s > strength {
			best, strength = p.value, s
		}
	}
	return best
}

// queryOf is what a link's query says of the home. Beside a long id only what may
// name a part of it is kept; else all but the trackers.
func queryOf(u *url.URL) string {
	var keep []string
	id := queryID(u)
	parts := pathOf(u)
	_, strength := segmentID(parts[len(parts)-1])
	long := strength >= 5 || longPart(parts) >= 0 || longID(id)
	for _, p := range parameters(u) {
		kind := trackers.kind(p.name)
		own := kind != "click" && p.value == id
		short := kind == "" && partValue.MatchString(p.value) && !criterion.MatchString(p.name)
		if own || short || kind == "" && !long {
			keep = append(keep, url.QueryEscape(p.name)+"="+url.QueryEscape(p.value))
		}
	}
	if len(keep) == 0 {
		return ""
	}
	slices.Sort(keep)
	return "?" + strings.Join(slices.Compact(keep), "&")
}

// fragmentOf is a fragment that is a route of the page with an id in it, where path
// and query have none.
func fragmentOf(u *url.URL) string {
	r := routeOf(u)
	if r == nil || queryID(u) != "" || pathID(u) != "" {
		return ""
	}
	f := u.EscapedFragment()
	slash := f[:len(f)-len(strings.TrimLeft(f, "!/"))]
	return "#" + slash + strings.TrimPrefix(strings.Join(pathOf(r), "/"), "/") + queryOf(r)
}

// routeOf is the address in a fragment that is a route of the page ("#/x/7", "#!x",
// "#/x?id=7"); nil where it has no id.
func routeOf(u *url.URL) *url.URL {
	f := u.EscapedFragment()
	route := strings.TrimPrefix(f, "!")
	if f == "" || f == route && !strings.HasPrefix(f, "/") {
		return nil
	}
	r, err := url.Parse("/" + strings.TrimPrefix(route, "/"))
	if err != nil || pathID(r) == "" && queryID(r) == "" {
		return nil
	}
	return r
}
