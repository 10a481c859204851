package browser

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// wandered says where a redirect led when it led away from the search: to the home
// page, to a page above it, or to an address without a part that the last accepted
// one still had. landed is that address, nil at the first check.
func wandered(requested, final, landed *url.URL) string {
	if requested == nil || final == nil {
		return ""
	}
	want, got := strings.Trim(requested.Path, "/"), strings.Trim(final.Path, "/")
	home := got == "" || languageOnly.MatchString(got)
	switch {
	case want == got && got == "" && requested.RawQuery == "" && !strings.Contains(requested.Fragment, "/"):
		return "copy the address of the results page: the saved one is a home page"
	case want != got && home && !keeps(requested, final):
		return "search on the site and copy the address anew: was sent to the home page"
	case landed != nil && final.String() != requested.String():
		if lost := lostParts(landed, final); len(lost) > 0 {
			return fmt.Sprintf("was sent to %.40s, without %s", final.Host+final.Path, strings.Join(lost, ", "))
		}
	case landed == nil && want != got && strings.HasPrefix(want, got+"/"):
		return fmt.Sprintf("was sent to a page above the saved one, /%s", got)
	}
	return ""
}

var languageOnly = regexp.MustCompile(`^[a-z]{2}(?:[-_][A-Za-z]{2})?(?:/(?:home|index(?:\.\w+)?))?$|^(?:home|index)(?:\.\w+)?$`)

// keeps says whether a parameter of the final address has a value of the saved one.
func keeps(requested, final *url.URL) bool {
	saved := plainValue(requested.Path + requested.RawQuery)
	for _, values := range criteria(final) {
		if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(saved, plainValue(v)) }) {
			return true
		}
	}
	return false
}

// lostParts are the parts of an address that another one has lost or changed, as
// written: "city=utrecht", "500-900". Another order, spelling or place of a value is
// no loss; neither is a tracker, a language, an empty parameter, or another long
// token, which is a session's.
func lostParts(from, to *url.URL) []string {
	had, has := criteria(from), criteria(to)
	words := map[string]bool{}
	for _, part := range pathOf(to) {
		part, _ = url.PathUnescape(part)
		words[plainValue(part)] = true
		for word := range strings.FieldsFuncSeq(part, func(r rune) bool { return strings.ContainsRune("-_,.+ ", r) }) {
			words[plainValue(word)] = true
		}
	}
	for _, values := range has {
		for _, v := range values {
			words[plainValue(v)] = true
		}
	}
	var lost []string
	for name, values := range had {
		for _, v := range values {
			now, same := has[name], func(w string) bool { return plainValue(w) == plainValue(v) }
			if slices.ContainsFunc(now, same) || now != nil && len(v) >= 16 && idToken(v) > 0 || now == nil && len(plainValue(v)) > 2 && words[plainValue(v)] {
				continue
			}
			lost = append(lost, name+"="+v)
		}
	}
	for i, part := range pathOf(from)[1:] {
		part, _ = url.PathUnescape(part)
		if bare := extension.ReplaceAllString(part, ""); !words[plainValue(part)] && !words[plainValue(bare)] && !(i == 0 && languageOnly.MatchString(part)) && plainValue(part) != "" {
			lost = append(lost, part)
		}
	}
	slices.Sort(lost)
	return lost
}

// criteria are those of a URL, and of a route in its fragment, that can decide
// what is searched.
func criteria(u *url.URL) url.Values {
	all := url.Values{}
	_, route, _ := strings.Cut(u.Fragment, "?")
	for _, query := range []string{u.RawQuery, route} {
		values, _ := url.ParseQuery(query) // what can be read of it
		for name, each := range values {
			each = slices.DeleteFunc(each, func(v string) bool { return plainValue(v) == "" })
			if len(each) > 0 && !besideTheSearch(name) {
				all[strings.ToLower(name)] = each
			}
		}
	}
	return all
}

// besideTheSearch says whether a parameter tracks the visitor or names a language, and
// finds nothing. What a listing's link carries of its search is the search here.
func besideTheSearch(name string) bool {
	kind := trackers.kind(name)
	return (kind == "click" || kind == "visit") && !strings.HasPrefix(strings.ToLower(name), "search") || languageName.MatchString(name)
}

var languageName = regexp.MustCompile(`(?i)^(?:lang|language|locale|hl)$`)

// plainValue is a value without quotes, case and separators.
func plainValue(v string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, v)
}
