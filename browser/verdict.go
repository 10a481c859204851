package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"notifio.app/notifio/monitor"
)

// evidence is what a verdict is decided from.
type evidence struct {
	status    int
	requested *url.URL
	final     *url.URL
	sameSite  bool // the final host is the requested one, or of the same portal
	ordinary  int  // listings that count
	promoted  int
	words     words  // what the page says
	refusal   string // the portal's own mark of a refusal, when it was found
	signedOut string // the portal's own mark of a visitor who is not signed in
	atLogin   bool   // the final URL is the portal's or anybody's login page
	late      bool
	pattern   string
	hint      string // a link pattern that the user may try; "" for none
	portal    string // set when its definition named the listings
}

// byStatus is the verdict that a status alone decides; "" when the page has to
// be read.
func byStatus(status int) (monitor.Verdict, string) {
	switch {
	case status == 0, status >= 200 && status < 400:
		return "", ""
	case status == 401, status == 403, status == 405, status == 429, status == 503:
		return monitor.Refused, fmt.Sprintf("answered %d", status)
	case status == 408, status == 425, status >= 500:
		return monitor.Failed, strings.TrimSpace(fmt.Sprintf("answered %d %s", status, http.StatusText(status)))
	}
	return monitor.NotResults, strings.TrimSpace(fmt.Sprintf("answered %d %s", status, http.StatusText(status)))
}

// fewListings is how many listings a robot check or a login page may seem to
// have: a link to a help page with a number in it.
const fewListings = 2

// smallPage is how many letters of visible text a robot check has at most. The
// smallest results pages that were seen have four times as many.
const smallPage = 3000

// tinyPage is how many letters a page has that consists of a robot check's frame.
const tinyPage = 600

// judge decides the verdict. Every one of them needs evidence, and good pages
// contain the words of bad ones, so listings speak first.
func judge(e evidence) (monitor.Verdict, string) {
	if v, reason := byStatus(e.status); v != "" {
		return v, reason
	}
	if !e.sameSite && !(e.atLogin && e.words.password) {
		return monitor.NotResults, fmt.Sprintf("was sent to another site, %s", e.final.Hostname())
	}
	if e.ordinary <= fewListings {
		if e.refusal != "" && e.words.none == "" && e.words.total < 0 {
			return monitor.Refused, fmt.Sprintf("shows a robot check: %q", e.refusal)
		}
		if check := robotCheck(e.words); check != "" {
			return monitor.Refused, fmt.Sprintf("shows a robot check: %q", check)
		}
		if e.atLogin || e.words.password && e.ordinary == 0 && !e.words.saysNone() {
			return monitor.SignedOut, "shows a login form where the listings were"
		}
	}
	if away := wandered(e.requested, e.final); away != "" {
		return monitor.NotResults, away
	}
	if e.ordinary > 0 && e.portal != "" {
		return monitor.Results, fmt.Sprintf("%s of %s", plural(e.ordinary, "listing"), e.portal)
	}
	if e.ordinary > 0 {
		return monitor.Results, fmt.Sprintf("%s like %s", plural(e.ordinary, "link"), e.pattern)
	}
	return withoutListings(e)
}

// robotCheck is the mark of a robot check on a page with few listings. A title
// counts on a small page, a sentence on one that does not say that nothing
// matches, and a mere script or frame on one that says nothing at all.
func robotCheck(w words) string {
	switch {
	case w.robot != "" && w.letters <= smallPage && (w.inTitle || !w.saysNone()):
		return w.robot
	case w.check != "" && w.letters <= tinyPage && w.none == "" && w.total < 0:
		return w.check
	}
	return ""
}

// withoutListings decides about a page of the right address that shows no
// listing. Only a page that says zero itself is empty.
func withoutListings(e evidence) (monitor.Verdict, string) {
	w := e.words
	switch {
	case e.signedOut != "":
		return monitor.SignedOut, fmt.Sprintf("no listings, and the page is signed out: %q", e.signedOut)
	case w.total > 0:
		return monitor.NotResults, fmt.Sprintf("counts %s but shows none", plural(w.total, "result"))
	case w.total == 0:
		return monitor.Empty, "the page counts 0 results"
	case w.none != "":
		return monitor.Empty, fmt.Sprintf("the page says %q", w.none)
	case w.consent != "" && w.letters <= 2*smallPage:
		return monitor.NotResults, fmt.Sprintf("a consent wall: %q; open a window once and answer it", w.consent)
	case e.late:
		return monitor.NotResults, "had not loaded at the deadline"
	case w.letters < 200, w.state > 20000:
		return monitor.NotResults, "the page was not filled in: no listing, and no sentence that says there is none"
	}
	if e.hint != "" {
		return monitor.NotResults, "no listing found; where these links are listings, add link = '" + e.hint + "'"
	}
	return monitor.NotResults, "no listing found, and no sentence that says there is none"
}

// wandered says where a redirect led when it led away from the saved search: to
// the home page, or to a page above it.
func wandered(requested, final *url.URL) string {
	if requested == nil || final == nil {
		return ""
	}
	want, got := strings.Trim(requested.Path, "/"), strings.Trim(final.Path, "/")
	if want == got {
		if got == "" && requested.RawQuery == "" && !strings.Contains(requested.Fragment, "/") {
			return "the saved address is a home page, not a page of results"
		}
		return ""
	}
	if got == "" || languageOnly.MatchString(got) {
		return "was sent to the home page"
	}
	if strings.HasPrefix(want, got+"/") {
		return fmt.Sprintf("was sent to a page above the saved one, /%s", got)
	}
	return ""
}

var languageOnly = regexp.MustCompile(`^[a-z]{2}(?:[-_][A-Za-z]{2})?(?:/(?:home|index(?:\.\w+)?))?$|^(?:home|index)(?:\.\w+)?$`)

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
