package monitor

import "time"

// orderChecks accepted checks one after another with a new home between known ones, and
// a page is not newest-first, whoever says so. One may be a home that was set back to its
// old place, two a coincidence; a page that is sorted otherwise has shown the third
// within hours, and each time a home may have begun beyond the first page. One with all
// of its news on top begins the count anew.
const orderChecks = 3

// longPublished is how old a home is that is new to us and old to the site: it has come
// back to its place. Many sites name the day alone.
const longPublished = 24 * time.Hour

// newsPlace says where the new homes of a page stand: in its middle, between two known
// ones that are in the order of the baseline, or all on top. Two known ones that are not
// say nothing: the upper one was pushed up.
func newsPlace(baseline, current []Listing, isNew func(Listing) bool) (middle, top bool) {
	rank := map[string]int{}
	for i, l := range baseline {
		rank[l.Key] = i + 1
	}
	above, waiting := 0, false // the rank of the known one above; whether new ones follow it
	for _, l := range current {
		switch at := rank[l.Key]; {
		case at > 0:
			middle = middle || waiting && above > 0 && at > above
			above, waiting = at, false
		case isNew(l):
			waiting, top = true, top || above == 0
		}
	}
	return middle, top && !middle
}

// newestFirst is what the user says of a page, or else who has read it.
func (s sight) newestFirst() bool {
	if s.search.NewestFirst != nil {
		return *s.search.NewestFirst
	}
	return s.page.NewestFirst
}

// countUnordered counts the accepted pages that are called newest-first and show their
// news elsewhere: homes that begin beyond the first page are missed then.
func (out *outcome) countUnordered(s sight, r ruling) {
	switch {
	case !s.newestFirst():
		out.record.Unordered = 0
		return
	case r.unknown != compared, mostlyUnknown(len(s.listings), len(s.unknown)), s.rec.Unordered >= orderChecks, s.rec.Provisional, s.rec.Half > 0, s.rec.Look != nil:
		return
	}
	middle, top := newsPlace(s.rec.Baseline, s.listings, func(l Listing) bool {
		back := !l.Published.IsZero() && s.rec.AcceptedAt.Sub(l.Published) > longPublished
		return s.isUnknown(l) && !s.paid.has(l) && !back
	})
	switch {
	case middle:
		out.record.Unordered++
	case top:
		out.record.Unordered = 0
	}
	out.unordered = out.record.Unordered == orderChecks
}

// sayUnordered tells, once, of a search whose page is called newest-first and is not.
func (m *Monitor) sayUnordered(w *watch, page Page) {
	otherwise := "write newest_first = false under it"
	if w.search.NewestFirst != nil {
		otherwise = "take newest_first out"
	}
	text := "New homes keep appearing in its middle, so some are missed: sort it by newest on the site and save that address, or " + otherwise
	m.note(w, text)
	m.log.Warn(w.search.Name+": "+text, "url", page.FinalURL)
	m.notice(Banner{Title: w.search.Name + ": is its page sorted by newest?", Body: text + ".", URL: page.FinalURL})
}
