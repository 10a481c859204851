package monitor

import (
	"cmp"
	"fmt"
	"time"
)

// sight is a clean page together with all that is needed to decide about it.
type sight struct {
	search   Search
	page     Page
	rec      Record
	memo     Recollection
	paid     idents // promoted on the page before this one
	now      time.Time
	previous time.Time // start of the check before this one; zero: none since the start
	interval time.Duration
	timing   Timing

	listings []Listing // the ordinary ones
	unknown  []Listing // those of them that are neither known to the search nor told or pending by anyone
	half     bool      // it lost more than half of its listings
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

	state     RowState
	text      string // for the row
	note      string // a sentence that stays under the search; "" when there is none
	log       string // a line for the activity log; "" when there is none
	unordered bool   // it is called newest-first, and has shown now that it is not
}

// decide lets the guards rule on a page and carries the ruling out.
func decide(s sight) outcome {
	s.look()
	for _, g := range guards {
		if g.knows(s) {
			return s.carryOut(g.rules(s))
		}
	}
	panic("the last guard knows every page")
}

// look works out what the guards go by.
func (s *sight) look() {
	s.listings = s.page.Ordinary()
	s.recognise()
	for _, l := range s.listings {
		if s.isUnknown(l) {
			s.unknown = append(s.unknown, l)
		}
	}
	s.half = halfLoaded(len(s.rec.Baseline), len(s.listings))
	if s.half && (s.previous.IsZero() || s.now.Sub(s.previous) >= s.interval/2) {
		s.rec.Half = min(s.rec.Half+1, halfLoadedLimit)
	}
}

// carryOut is the one place where what a page shows becomes known, news, or neither.
func (s sight) carryOut(r ruling) outcome {
	out := outcome{record: s.rec, state: RowDoubt, text: r.text, note: r.note, log: r.log}
	if r.look {
		out.record.Look = &Look{At: s.now, Listings: kept(s.listings)}
	}
	if r.refuse {
		return out
	}
	out.accepted, out.state, out.text = true, RowFine, cmp.Or(r.text, count(len(s.listings)))
	out.record = s.becomes()
	out.meet(s, r.unknown)
	out.revisitAll(s, r.unknown.diffs())
	out.part(s)
	if s.rec.Look != nil {
		out.lookBack(s, r.unknown)
	}
	if r.unknown == caughtUp {
		out.log += fmt.Sprintf(", %d new", len(out.alerts))
		for i := range out.alerts {
			out.alerts[i].Away = s.away()
		}
	}
	out.countUnordered(s, r)
	return out
}

// becomes is the record with the page for its baseline.
func (s sight) becomes() Record {
	rec := s.rec
	if day := int(s.now.Unix() / (24 * 60 * 60)); s.page.ShowsAll() && day != rec.LastDay {
		rec.Days, rec.LastDay = rec.Days+1, day
	}
	rec.Baseline, rec.AcceptedAt, rec.FinalURL = kept(s.listings), s.now, s.page.FinalURL
	rec.LinkPattern, rec.Reader = cmp.Or(s.page.LinkPattern, rec.LinkPattern), cmp.Or(s.page.Reader, rec.Reader)
	rec.Half, rec.Look, rec.Provisional = 0, nil, s.first() && s.page.Verdict != Empty
	return rec
}

// meet makes the unknown listings known.
func (out *outcome) meet(s sight, f fate) {
	tail, doubt := idents{}, ""
	switch f {
	case compared:
		tail, doubt = s.tail()
	case perhaps:
		tail, doubt = identsOf(s.unknown), perhapsNot
	}
	for _, l := range s.unknown {
		switch {
		case f == adopted, f == compared && tail.has(l) && doubt == "":
			out.adopt(s, l)
		case f == baselined:
			out.known = append(out.known, s.knownAs(l, Baselined))
		case tail.has(l):
			out.discover(s, l, doubt)
		default:
			out.discover(s, l, "")
		}
	}
	if moved := len(out.adopted); f == compared && moved > 0 && out.note == "" {
		out.note = count(moved) + " moved up from the next page, not told"
		out.log = fmt.Sprintf("%s: %s at the end of the page moved up when others left", s.search.Name, count(moved))
	}
}

// part notes since when listings of the baseline are gone.
func (out *outcome) part(s sight) {
	for _, l := range missing(s.rec.Baseline, s.listings) {
		if k, ok := s.memo.Known[l.Key]; ok && k.LeftDay < 0 && s.rec.View == "" {
			k.LeftDay = out.record.Days
			out.known = append(out.known, k)
		}
	}
}

// lookBack makes known what only a first look has shown: it was on the page, and is not
// forgotten without a word.
func (out *outcome) lookBack(s sight, f fate) {
	for _, l := range missing(s.rec.Look.Listings, s.listings) {
		switch {
		case !s.isUnknown(l):
			continue
		case f == caughtUp:
			out.discover(s, l, "")
		default:
			out.adopt(s, l)
		}
		out.known[len(out.known)-1].LeftDay = out.record.Days
	}
}

// adopt makes a listing known, to be named and not told.
func (out *outcome) adopt(s sight, l Listing) {
	out.adopted, out.known = append(out.adopted, l), append(out.known, s.knownAs(l, Adopted))
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
