package monitor

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// sight is a clean page together with all that is needed to decide about it.
type sight struct {
	search   Search
	page     Page
	listings []Listing // the ordinary ones
	rec      Record
	memo     Recollection
	now      time.Time
	previous time.Time // start of the check before this one; zero: none since the start
	interval time.Duration
	timing   Timing
}

// outcome is what a clean page comes to: what to write, what to tell, what to show.
type outcome struct {
	accepted bool
	record   Record
	known    []Known // that are new or have changed
	alerts   []Alert
	repriced []Alert  // open `new` alerts whose price has changed
	joined   []string // IDs of alerts that this search found as well
	adopted  []Listing

	state RowState
	text  string // for the row
	note  string // a sentence that stays under the search; "" when there is none
	log   string // a line for the activity log; "" when there is none
}

// decide runs the guards in their order and, on an accepted page, the diff.
func decide(s sight) outcome {
	s.listings = s.page.Ordinary()
	s.recognise()
	out := s.judge()
	if out.accepted && s.rec.Look != nil {
		out.settleLook(s)
	}
	return out
}

func (s sight) judge() outcome {
	unknown := s.unknown()
	switch {
	case s.rec.AcceptedAt.IsZero():
		return s.first()
	case halfLoaded(len(s.rec.Baseline), len(s.listings)):
		return s.smaller(unknown)
	case s.rec.Provisional && s.now.Sub(s.rec.AcceptedAt) <= s.timing.Provisional && len(unknown) > provisionalGrowth:
		out := s.accept(s.rebase(unknown, Adopted))
		out.note = noteBaseline
		out.log = fmt.Sprintf("%s: the first look had missed %d listing(s). Added to the baseline without an alert", s.search.Name, len(unknown))
		return out
	case s.reread():
		return s.accept(s.readAnew(unknown))
	}
	if out, decided := s.reshaped(unknown); decided {
		return out
	}
	return s.accept(s.news(unknown))
}

// first saves the baseline of a search, or of a view, that has none. Nothing on it is
// news, unless the same address was no results page before: a portal may say that
// there is nothing yet in a language that we do not read. Zero is an answer: only a
// page with listings may be half a page.
func (s sight) first() outcome {
	unknown, how := s.unknown(), Baselined
	if s.rec.FinalURL != "" && s.rec.FinalURL == s.page.FinalURL && len(unknown) <= perhapsLimit {
		how = Alerted
	}
	out := s.accept(s.rebase(unknown, how))
	out.record.Provisional = s.page.Verdict != Empty
	out.text, out.note = "baseline saved, "+count(len(s.listings)), noteBaseline
	out.log = fmt.Sprintf("%s: baseline saved, %s", s.search.Name, count(len(s.listings)))
	return out
}

// smaller handles a page that lost more than half of its listings: not a word
// about it is believed until three checks agree.
func (s sight) smaller(unknown []Listing) outcome {
	rec := s.rec
	if s.previous.IsZero() || s.now.Sub(s.previous) >= s.interval/2 {
		rec.Half = min(rec.Half+1, halfLoadedLimit)
	}
	if rec.Half < halfLoadedLimit {
		return outcome{
			record: rec,
			state:  RowDoubt,
			text:   fmt.Sprintf("page looked half-loaded (%d of %d)", rec.Half, halfLoadedLimit),
			note:   noteHalf,
			log: fmt.Sprintf("Skipping %s: only %d listing(s) vs %d in baseline (likely partial load)",
				s.search.Name, len(s.listings), len(s.rec.Baseline)),
		}
	}
	s.rec.Half = halfLoadedLimit // kept while a second look is awaited
	if out, decided := s.reshaped(unknown); decided && !s.reread() {
		return out
	}
	var out outcome
	switch {
	case s.reread():
		out = s.readAnew(unknown)
	case len(unknown)*2 > len(s.listings):
		out = s.rebase(unknown, Adopted)
	default:
		out = s.news(unknown)
	}
	out = s.accept(out)
	out.text, out.note = "re-based after a smaller page", noteSmaller
	out.log = fmt.Sprintf("%s has settled at %d listing(s), down from %d. Using that as the new baseline",
		s.search.Name, len(s.listings), len(s.rec.Baseline))
	return out
}

// reshaped handles a page that is complete but unfamiliar. It decides nothing
// when the page is not, or when it is one that may be full of news all the same.
func (s sight) reshaped(unknown []Listing) (outcome, bool) {
	if s.rec.Look != nil && s.confirms(*s.rec.Look) {
		return s.catchUp(), true
	}
	if !mostlyUnknown(len(s.listings), len(unknown)) {
		return outcome{}, false
	}
	if len(unknown) <= shapeGrowth && grown(s.rec.Baseline, s.listings) {
		return outcome{}, false
	}
	if s.away() > s.timing.Gap && (s.rec.Look == nil || s.now.Sub(s.rec.Look.At) > s.timing.Gap) {
		rec := s.rec
		rec.Look = &Look{At: s.now, Listings: kept(s.listings)}
		return outcome{
			record: rec, state: RowDoubt,
			text: "much is new after a long gap, looking again",
			note: noteGap,
			log: fmt.Sprintf("%s: %d of %d listings are new after %s without a check. Looking again before telling",
				s.search.Name, len(unknown), len(s.listings), roughly(s.away())),
		}, true
	}
	out := s.accept(s.rebase(unknown, Adopted))
	out.text, out.note = "page changed shape, re-based", noteShape
	out.log = fmt.Sprintf("%s: page changed shape, %d of %d listings are unknown. Re-based without an alert",
		s.search.Name, len(unknown), len(s.listings))
	return out, true
}

// confirms says whether this page is the one of the first look, and the one that
// was last accepted.
func (s sight) confirms(first Look) bool {
	return HostOf(s.page.FinalURL) == HostOf(s.rec.FinalURL) &&
		(s.rec.LinkPattern == "" || s.page.LinkPattern == s.rec.LinkPattern) && // an empty page shows none
		same(first.Listings, s.listings)
}

// catchUp tells what came while nobody looked: the unknown listings of both looks.
func (s sight) catchUp() outcome {
	var out outcome
	for _, l := range s.unknown() {
		out.discover(s, l, "")
	}
	out.revisitAll(s)
	out = s.accept(out)
	for _, l := range missing(s.rec.Look.Listings, s.listings) {
		if s.isUnknown(l) {
			out.discover(s, l, "")
			out.known[len(out.known)-1].LeftDay = out.record.Days
		}
	}
	for i := range out.alerts {
		out.alerts[i].Away = s.away()
	}
	out.note = fmt.Sprintf("Caught up after %s", roughly(s.away()))
	out.log = fmt.Sprintf("%s: caught up after %s without a check, %d new", s.search.Name, roughly(s.away()), len(out.alerts))
	return out
}

// settleLook makes known what only a first look has shown, when the second one has
// told otherwise: it was on the page, and is not forgotten without a word.
func (o *outcome) settleLook(s sight) {
	for _, l := range missing(s.rec.Look.Listings, s.listings) {
		done := slices.ContainsFunc(o.known, func(k Known) bool { return k.Key == l.Key })
		if done || !s.isUnknown(l) {
			continue
		}
		k := s.knownAs(l, Adopted)
		k.LeftDay = o.record.Days
		o.known, o.adopted = append(o.known, k), append(o.adopted, l)
	}
}

func (s sight) away() time.Duration { return s.now.Sub(s.rec.AcceptedAt) }

// rebase makes everything on the page known, in the way that how says; Alerted tells
// it, marked. The prices that it shows are the prices from now on.
func (s sight) rebase(unknown []Listing, how How) outcome {
	var out outcome
	for _, l := range unknown {
		if how == Alerted {
			out.discover(s, l, perhapsNot)
			continue
		}
		out.known = append(out.known, s.knownAs(l, how))
	}
	if how == Adopted {
		out.adopted = unknown
	}
	for _, l := range missing(s.listings, unknown) {
		out.see(s, l, s.believed(l))
	}
	return out
}

// reread says whether the page was read by another version of the reader than the
// one before it, or by the first that says which one it is.
func (s sight) reread() bool {
	return !s.rec.AcceptedAt.IsZero() && s.page.Reader != "" && s.page.Reader != s.rec.Reader
}

// readAnew is the diff of a page that another version of the reader has read: what
// has changed may be the reading. So prices, marks and what the filter says of them
// are believed without a word, and what is unknown may always have been there.
func (s sight) readAnew(unknown []Listing) outcome {
	how := Alerted
	if len(unknown) > perhapsLimit {
		how = Adopted
	}
	out := s.rebase(unknown, how)
	if len(unknown) > 0 {
		out.note = noteReader
		out.log = fmt.Sprintf("%s: read by another version than before, which sees %s more", s.search.Name, count(len(unknown)))
	}
	return out
}

// accept makes the page the baseline.
func (s sight) accept(out outcome) outcome {
	rec := s.rec
	if day := int(s.now.Unix() / (24 * 60 * 60)); s.page.ShowsAll() && day != rec.LastDay {
		rec.Days, rec.LastDay = rec.Days+1, day
	}
	for _, l := range missing(s.rec.Baseline, s.listings) {
		if k, ok := s.memo.Known[l.Key]; ok && k.LeftDay < 0 && rec.View == "" {
			k.LeftDay = rec.Days
			out.known = append(out.known, k)
		}
	}
	rec.Baseline, rec.AcceptedAt = kept(s.listings), s.now
	rec.FinalURL = s.page.FinalURL
	rec.LinkPattern, rec.Reader = cmp.Or(s.page.LinkPattern, rec.LinkPattern), cmp.Or(s.page.Reader, rec.Reader)
	rec.Half, rec.Look, rec.Provisional = 0, nil, false
	out.accepted, out.record = true, rec
	out.state, out.text = RowFine, count(len(s.listings))
	return out
}

// unknown are the listings that are neither known to the search nor told or
// pending by anyone, in page order.
func (s sight) unknown() []Listing {
	var out []Listing
	for _, l := range s.listings {
		if s.isUnknown(l) {
			out = append(out, l)
		}
	}
	return out
}

func (s sight) isUnknown(l Listing) bool {
	_, known := s.memo.Known[l.Key]
	return !known && len(s.memo.Alerts[l.Key]) == 0
}

// knownAs is what the search will know of a listing that it did not know; one
// that does not pass the filter becomes known as filtered, whatever else it is.
func (s sight) knownAs(l Listing, how How) Known {
	if l.Let && how == Alerted {
		how = Let
	}
	k := Known{
		Search: s.search.URL, Key: l.Key, Canonical: l.Canonical, ID: l.ID, How: how,
		Price: l.Price, AreaM2: l.AreaM2, Title: l.Title, LeftDay: -1, At: s.now,
	}
	if !s.search.Filter.Passes(l) {
		k.keepBack(s, l)
	}
	if s.hides(l, k) {
		k.Hidden = hiddenChecks
	}
	return k
}

// keepBack notes that the filter keeps a listing back, and what it read then.
func (k *Known) keepBack(s sight, l Listing) {
	k.How, k.Filter, k.Words = Filtered, s.verdict(), l.words()
}

// verdict names the filter that keeps a listing back, and what reads the words for it.
func (s sight) verdict() string {
	return s.search.Filter.String() + s.reader()
}

func (s sight) reader() string { return " reader=" + cmp.Or(s.page.Reader, s.rec.Reader) }

func count(n int) string {
	if n == 1 {
		return "1 listing"
	}
	return fmt.Sprintf("%d listings", n)
}

// roughly is a duration as a person would say it.
func roughly(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d seconds", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()+0.5))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24+0.5))
}
