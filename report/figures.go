package report

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// Figures are the numbers of a report. They are plain values: what is drawn and
// said is made of nothing else.
type Figures struct {
	Made     time.Time
	From, To time.Time // of the first and the last check; zero when there was none
	All      Search    // all searches together; it has no name
	Searches []Search  // the configured ones first, in the order of the file
	Hosts    []Host    // those that have refused us, by name
}

// Search is what is known of one search.
type Search struct {
	Name, URL, Host string
	Configured      bool // and not only remembered from before
	Checks          int
	Fine            int // of the checks: the page was there and was read
	Listings        int // on the page when it was last read
	New             int // alerts for new listings; of All, each listing once
	Drops           int // … for price drops
	Back            int // … for listings back on the market
	Unplaced        int // of New: found after a gap, or perhaps not new, so that nobody knows the hour
	Week            Week
	Days            []Day // every day of the period, also those without a check
	Best            Best
	Told            Told
}

// Count makes the figures of a history.
func Count(in Input) Figures {
	f := Figures{Made: in.Now}
	in.History = plausible(in.History, in.Now)
	for _, s := range in.History.Stretches {
		if f.From.IsZero() || s.Since.Before(f.From) {
			f.From = s.Since.In(in.Now.Location())
		}
		if s.Until.After(f.To) {
			f.To = s.Until.In(in.Now.Location())
		}
	}
	c := counter{figures: &f, zone: in.Now.Location(), all: newTally(&f)}
	c.searches(in)
	for _, s := range in.History.Stretches {
		c.stretch(s)
	}
	for _, a := range in.History.Alerts {
		c.alert(a)
	}
	f.All = c.all.done()
	for _, t := range c.tallies {
		f.Searches = append(f.Searches, t.done())
	}
	f.Hosts = hosts(in.History.Stretches, in.Now.Location())
	return f
}

// plausible leaves out what a clock that was wrong has dated far from now: one
// such check would stretch every axis.
func plausible(h monitor.History, now time.Time) monitor.History {
	from, to := now.AddDate(-2, 0, 0), now.AddDate(0, 0, 1)
	off := func(t time.Time) bool { return t.Before(from) || t.After(to) }
	return monitor.History{
		Stretches: slices.DeleteFunc(slices.Clone(h.Stretches), func(s monitor.Stretch) bool { return off(s.Since) || off(s.Until) }),
		Alerts:    slices.DeleteFunc(slices.Clone(h.Alerts), func(a monitor.Alert) bool { return off(a.Found) }),
	}
}

// counter hands each piece of the history to those whom it concerns.
type counter struct {
	figures *Figures
	zone    *time.Location
	all     *tally
	tallies []*tally
	byURL   map[string]*tally
	byName  map[string]*tally
}

// searches are the configured ones, and then those that only the history knows.
func (c *counter) searches(in Input) {
	c.byURL, c.byName = map[string]*tally{}, map[string]*tally{}
	for _, s := range in.Searches {
		t := newTally(c.figures)
		t.Name, t.URL, t.Host, t.Configured = s.Name, s.URL, s.Host(), true
		c.tallies = append(c.tallies, t)
		c.byURL[s.URL], c.byName[s.Name] = t, t
	}
	for _, s := range in.History.Stretches {
		if c.byURL[s.Search] == nil {
			t := newTally(c.figures)
			t.Name, t.URL, t.Host = nameless(s.Search), s.Search, monitor.HostOf(s.Search)
			c.tallies = append(c.tallies, t)
			c.byURL[s.Search] = t
		}
	}
}

// nameless is how a search is called whose name nobody remembers.
func nameless(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil || u.Host == "" {
		return rawURL
	}
	return strings.TrimSuffix(monitor.HostOf(rawURL)+u.Path, "/")
}

func (c *counter) stretch(s monitor.Stretch) {
	s.Since, s.Until = s.Since.In(c.zone), s.Until.In(c.zone)
	c.all.stretch(s)
	c.byURL[s.Search].stretch(s)
}

// alert counts for every search that found the listing. Alerts carry the names
// that searches had then: what a search found before it was renamed is counted
// for all of them only.
func (c *counter) alert(a monitor.Alert) {
	a.Found = a.Found.In(c.zone)
	c.all.alert(a)
	for i, name := range a.Searches {
		if t := c.byName[name]; t != nil && !slices.Contains(a.Searches[:i], name) {
			t.alert(a)
		}
	}
}

// tally counts for one search, or for all together.
type tally struct {
	Search
	figures *Figures
	watched map[hour]bool
	delays  delays
}

func newTally(f *Figures) *tally {
	return &tally{Search: Search{Days: days(f.From, f.To)}, figures: f, watched: map[hour]bool{}}
}

func (t *tally) stretch(s monitor.Stretch) {
	t.Checks += s.Checks
	if n := dayIndex(t.figures.From, s.Since); n >= 0 && n < len(t.Days) {
		t.Days[n].add(s.Verdict, s.Checks)
	}
	if !s.Verdict.Clean() {
		return
	}
	t.Fine += s.Checks
	t.Listings = s.Listings
	cell := t.Week.at(s.Since)
	cell.Checks += s.Checks
	cell.Seen += s.Checks * s.Listings
	if h := hourOf(s.Since); !t.watched[h] {
		t.watched[h] = true
		cell.Watched++
	}
}

func (t *tally) alert(a monitor.Alert) {
	t.delays.add(a)
	switch a.Kind {
	case monitor.PriceDrop:
		t.Drops++
		return
	case monitor.Back:
		t.Back++
		return
	}
	t.New++
	if a.Away > 0 || a.Doubt != "" {
		t.Unplaced++
		return
	}
	t.Week.at(a.Found).New++
}

func (t *tally) done() Search {
	t.Best = t.Week.best()
	t.Told = t.delays.count()
	return t.Search
}
