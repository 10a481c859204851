package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/assets/demo"
	"notifio.app/notifio/browser"
	"notifio.app/notifio/config"
	"notifio.app/notifio/monitor"
)

// extraction is what `notifio extract` is asked to read.
type extraction struct {
	pages  []source
	link   string // as in a search
	asJSON bool
}

// source is one page to read.
type source struct {
	url  string // of the page, also where a saved one came from
	file string // the saved page; "" loads url
}

func (s system) parseExtraction(args []string) (extraction, error) {
	const form = "extract takes [--json] [--link PATTERN] URL, or [--json] [--link PATTERN] --as URL FILE.html, the latter as often as you like"
	var e extraction
	flags := flag.NewFlagSet("extract", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&e.asJSON, "json", false, "")
	flags.StringVar(&e.link, "link", "", "")
	as := flags.String("as", "", "")
	for len(args) > 0 {
		*as = ""
		if err := flags.Parse(args); err != nil || flags.NArg() == 0 {
			return e, errors.New(form)
		}
		page := source{url: flags.Arg(0)}
		if *as != "" {
			page = source{url: *as, file: flags.Arg(0)}
		}
		e.pages, args = append(e.pages, page), flags.Args()[1:]
	}
	loaded := slices.ContainsFunc(e.pages, func(p source) bool { return p.file == "" })
	if len(e.pages) == 0 || loaded && len(e.pages) > 1 {
		return e, errors.New(form)
	}
	if _, err := regexp.Compile(e.link); err != nil {
		return e, fmt.Errorf("--link is no regular expression: %w", err)
	}
	for _, p := range e.pages {
		isWeb := strings.HasPrefix(p.url, "http://") || strings.HasPrefix(p.url, "https://")
		if isDemo := strings.HasPrefix(p.url, "demo:") && p.file == ""; !isDemo && (!isWeb || monitor.HostOf(p.url) == "") {
			return e, fmt.Errorf("%q is no http or https address", p.url)
		}
	}
	return e, nil
}

// extract is `notifio extract`: what Notifio reads on a page, so that a user finds
// out whether a site works. Of several saved pages one follows the other, as text
// or as JSON.
func (s system) extract(ctx context.Context, p place, args []string) int {
	e, err := s.parseExtraction(args)
	if err != nil {
		return s.wrong("%v", err)
	}
	c, err := config.Load(p.config)
	if err != nil { // a missing or broken configuration does not matter here
		c = config.Default()
	}
	code := exitFine
	err = s.withBrowser(ctx, p, c, func(b *browser.Browser) error {
		for i, from := range e.pages {
			if i > 0 && !e.asJSON {
				fmt.Fprintln(s.stdout)
			}
			page, err := read(ctx, b, from, e.link)
			if err != nil {
				return err
			}
			if !page.Verdict.Clean() {
				code = exitTrouble
			}
			if portal := portalOf(from.url, c.Portals); e.asJSON {
				printJSON(s.stdout, from, portal, page)
			} else {
				printPage(s.stdout, from, portal, page)
			}
		}
		return nil
	})
	if err != nil {
		return s.fail(err)
	}
	return code
}

// withBrowser runs f with Notifio's own browser, signed in where the user is; while
// another Notifio has that, with a fresh one.
func (s system) withBrowser(ctx context.Context, p place, c config.Config, f func(*browser.Browser) error) error {
	log, file := p.log()
	defer file.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	profile := ""
	if unlock, free := p.lock(); free {
		defer unlock()
		profile, _ = p.workingProfile()
	}
	portal, err := demo.Serve(ctx, log)
	if err != nil {
		return err
	}
	defer portal.Close()
	b, err := browser.New(browser.Options{
		Executable: c.Browser.Executable, Headless: true, Endpoint: c.Browser.Endpoint,
		Profile: profile, Portals: c.Portals, Log: log, Limits: s.limits, Demo: portal.URL,
		Progress: func(text string) {
			if text != "" {
				fmt.Fprintln(s.stderr, text)
			}
		},
	})
	if err != nil {
		return err
	}
	defer b.Close(context.WithoutCancel(ctx))
	if err := b.Prepare(ctx); err != nil {
		return err
	}
	return f(b)
}

func read(ctx context.Context, b *browser.Browser, from source, link string) (monitor.Page, error) {
	search := monitor.Search{Name: "extract", URL: from.url, Enabled: true, Link: link}
	if from.file == "" {
		return b.Check(ctx, search)
	}
	html, err := os.ReadFile(from.file)
	if err != nil {
		return monitor.Page{}, fmt.Errorf("read the saved page: %w", err)
	}
	return b.ReadFile(ctx, from.url, html, search)
}

// portalOf is the definition that covers an address; without one its name is
// "generic". The user's own wins.
func portalOf(url string, own []assets.Portal) assets.Portal {
	host := monitor.HostOf(url)
	if strings.HasPrefix(url, "demo:") {
		host = demo.Host
	}
	portals, _ := assets.PortalsWith(own) // the embedded ones are tested
	for _, p := range portals {
		if p.Covers(host) {
			return p
		}
	}
	return assets.Portal{Name: "generic"}
}

func printJSON(w io.Writer, from source, portal assets.Portal, page monitor.Page) {
	out := struct {
		URL      string            `json:"url"`
		Portal   string            `json:"portal"`
		Verdict  monitor.Verdict   `json:"verdict"`
		Reason   string            `json:"reason"`
		Total    int               `json:"total,omitempty"`
		Listings []monitor.Listing `json:"listings"`
	}{from.url, portal.Name, page.Verdict, page.Reason, page.Total, page.Listings}
	if out.Listings == nil {
		out.Listings = []monitor.Listing{}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	enc.Encode(out)
}

// printPage shows a page as a person would want to compare it with the browser.
func printPage(w io.Writer, from source, portal assets.Portal, page monitor.Page) {
	ordinary := page.Ordinary()
	fmt.Fprintf(w, "%s: %s\n", verdictWords[page.Verdict], page.Reason)
	known := "This site has no definition of its own; its page was read by what it looks like."
	if portal.Name != "generic" {
		known = "Notifio knows this portal as " + portal.Name + "."
	}
	fmt.Fprintln(w, known)
	if len(page.Listings) > 0 {
		line := fmt.Sprintf("%d listings", len(ordinary))
		if page.Total > 0 {
			line += fmt.Sprintf(", of %d that the page counts", page.Total)
		}
		if paid := len(page.Listings) - len(ordinary); paid > 0 {
			line += fmt.Sprintf(", and %d promoted or similar that never count", paid)
		}
		fmt.Fprintln(w, line+".")
	}
	for i, l := range page.Listings {
		printListing(w, i+1, l)
	}
	if len(page.Listings) == 0 && page.Verdict != monitor.Empty {
		fmt.Fprint(w, linkHint)
	}
	if portal.Notes != "" {
		fmt.Fprintf(w, "\nAbout %s:\n%s\n", portal.Name, strings.TrimSpace(portal.Notes))
	}
}

var verdictWords = map[monitor.Verdict]string{
	monitor.Results:    "A results page",
	monitor.Empty:      "A results page with nothing on it",
	monitor.SignedOut:  "Signed out",
	monitor.Refused:    "Refused",
	monitor.Failed:     "Nothing came",
	monitor.NotResults: "Not a results page",
}

const linkHint = `
No link on this page was read as a listing. If you see listings there in your own
browser, open one and look at its address. Put the part that all of them share,
with the number as \d+, into the search:

    link = '/to-rent/[a-z-]+/\d+'

and try it here: notifio extract --link '/to-rent/[a-z-]+/\d+' URL
`

func printListing(w io.Writer, n int, l monitor.Listing) {
	var facts []string
	if l.Price.Text != "" {
		facts = append(facts, l.Price.Text)
	}
	if l.AreaM2 > 0 {
		facts = append(facts, fmt.Sprintf("%.4g m²", l.AreaM2))
	}
	switch {
	case l.Rooms == 1:
		facts = append(facts, "1 room")
	case l.Rooms > 0:
		facts = append(facts, fmt.Sprintf("%g rooms", l.Rooms))
	}
	if !l.Published.IsZero() {
		facts = append(facts, "published "+l.Published.Local().Format("2 Jan"))
	}
	if l.Promoted {
		facts = append(facts, "promoted")
	}
	title := l.Title
	if l.Address != "" && !strings.Contains(title, l.Address) {
		title = strings.Trim(title+" · "+l.Address, " ·")
	}
	fmt.Fprintf(w, "\n%3d  %s\n", n, title)
	if len(facts) > 0 {
		fmt.Fprintf(w, "     %s\n", strings.Join(facts, " · "))
	}
	fmt.Fprintf(w, "     %s\n", l.URL)
}
