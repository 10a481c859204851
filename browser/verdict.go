package browser

import (
	"fmt"
	"net/http"
	"net/url"
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
	words     words    // what the page says
	refusal   string   // the portal's own mark of a refusal, when it was found
	signedOut string   // the portal's own mark of a visitor who is not signed in
	atLogin   bool     // the final URL is the portal's or anybody's login page
	landed    *url.URL // the final address of the last accepted page; nil at the first check
	oneHome   bool     // the page of one home, by its address and by what it shows
	late      bool     // the page had not finished when it was read
	cut       bool     // the page was too long to be read whole
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
	few := e.ordinary <= fewListings
	if few && e.sameSite && e.refusal != "" && e.words.none == "" && e.words.total < 0 {
		return monitor.Refused, fmt.Sprintf("shows a robot check: %q", e.refusal)
	}
	if check := robotCheck(e.words); few && check != "" {
		return monitor.Refused, fmt.Sprintf("shows a robot check: %q", check)
	}
	if few && e.atLogin {
		return monitor.SignedOut, "shows a login form where the listings were"
	}
	if !e.sameSite {
		return monitor.NotResults, fmt.Sprintf("was sent to another site, %s", e.final.Hostname())
	}
	if reason := otherPage(e); reason != "" {
		return monitor.NotResults, reason
	}
	if e.words.password && e.ordinary == 0 && !e.words.saysNone() {
		return monitor.SignedOut, "shows a login form where the listings were"
	}
	if away := wandered(e.requested, e.final, e.landed); away != "" {
		return monitor.NotResults, away
	}
	if e.cut {
		return monitor.NotResults, "narrow the search on the site: its page is too long to be read whole"
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

// otherPage says which page this is, and what to do, when it is surely none of
// results: one that is gone, or that of one home.
func otherPage(e evidence) string {
	few := e.ordinary <= fewListings
	switch {
	case e.oneHome:
		return "copy the address of the results page: this is the page of one home"
	case e.words.gone != "" && (few || e.words.goneHead):
		return fmt.Sprintf("search on the site and copy the address anew: the page is gone, it says %q", e.words.gone)
	}
	return ""
}

// withoutListings decides about a page of the right address that shows no listing.
// Only a page that has finished and says so itself is empty.
func withoutListings(e evidence) (monitor.Verdict, string) {
	w := e.words
	switch {
	case e.signedOut != "":
		return monitor.SignedOut, fmt.Sprintf("no listings, and the page is signed out: %q", e.signedOut)
	case w.total > 0:
		return monitor.NotResults, fmt.Sprintf("counts %s but shows none", plural(w.total, "result"))
	case w.saysNone() && e.late:
		return monitor.NotResults, "had not loaded at the deadline"
	case w.none != "":
		return monitor.Empty, fmt.Sprintf("the page says %q", w.none)
	case w.total == 0:
		return monitor.Empty, "the page counts 0 results"
	case w.consent != "" && w.letters <= 2*smallPage:
		return monitor.NotResults, fmt.Sprintf("a consent wall: %q; open a window once and answer it", w.consent)
	case e.late:
		return monitor.NotResults, "had not loaded at the deadline"
	case w.frame != "":
		return monitor.NotResults, "save the address of the list inside of this page: " + w.frame
	case w.letters < 200, w.state > 20000:
		return monitor.NotResults, "the page was not filled in: no listing, and no sentence that says there is none"
	}
	if e.hint != "" {
		return monitor.NotResults, "no listing found; where these links are listings, add link = '" + e.hint + "'"
	}
	return monitor.NotResults, "no listing found, and no sentence that says there is none"
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
