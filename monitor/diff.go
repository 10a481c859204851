package monitor

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dropShare is how much cheaper a listing must become to be worth telling: the
// 2 % that Rightmove uses for its own reduction alerts.
const dropShare = 0.02

// endOfPage marks a listing that may only have moved up a place, perhapsNot one that
// may have been there without our knowing.
const (
	endOfPage  = "at the end of the page, perhaps not new"
	perhapsNot = "perhaps not new"
)

// tail are the unknown listings at the end of the page that may have moved up,
// and what to say of them when they are told all the same ("" adopts them).
func (s sight) tail() (idents, string) {
	if len(s.unknown) == 0 || s.page.ShowsAll() {
		return idents{}, ""
	}
	left := len(missing(s.rec.Baseline, s.listings))
	tail := identsOf(movedUp(s.listings, identsOf(s.unknown), left, s.rec.AcceptedAt))
	if s.newestFirst() {
		return tail, ""
	}
	return tail, endOfPage
}

// movedUp are the unknown listings at the end of a page that may be older homes
// which moved up when others left: they stand below the last known one, are no
// more than those that left, and are not shown as published since.
func movedUp(current []Listing, unknown idents, left int, since time.Time) []Listing {
	last := -1
	for i, l := range current {
		if !unknown.has(l) {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	var tail []Listing
	for _, l := range current[last+1:] {
		if !l.Published.After(since) {
			tail = append(tail, l)
		}
	}
	if len(tail) > left {
		return nil
	}
	return tail
}

// discover makes an unknown listing known, and new unless the filter keeps it back.
func (out *outcome) discover(s sight, l Listing, doubt string) {
	out.known = append(out.known, s.knownAs(l, Alerted))
	out.tell(s, Alert{ID: alertID(l.Key, New, ""), Kind: New, Listing: l, Doubt: doubt})
}

// tell makes an alert, unless there is one already, the home is let, or the filter
// says no.
func (out *outcome) tell(s sight, a Alert) {
	if slices.Contains(s.memo.Alerts[a.Listing.Key], a.ID) || a.Listing.Let || !s.search.Filter.Passes(a.Listing) {
		return
	}
	a.Listing = kept([]Listing{a.Listing})[0]
	a.Searches, a.Found = []string{s.search.Name}, s.now
	out.alerts = append(out.alerts, a)
}

// alertID is what makes an alert unique: a listing has one `new`, one drop per
// price and one return per absence.
func alertID(key string, kind Kind, mark string) string {
	id := string(kind) + " " + key
	if mark != "" {
		id += " " + mark
	}
	return id
}

// revisitAll looks again at every known listing of the page: for what is news of it, or
// only to believe what the page shows.
func (out *outcome) revisitAll(s sight, diff bool) {
	diff = diff && !s.pricesMoved()
	freed := s.marksLifted()
	for _, l := range s.listings {
		if s.isUnknown(l) {
			continue
		}
		k := s.believed(l)
		if was, known := s.memo.Known[l.Key]; known && diff {
			k = out.revisit(s, l, was, freed)
		}
		out.see(s, l, k)
	}
}

// asShown is what the search will know of a listing when the values on this
// page are believed as they are. What the page does not show stays as it was.
func (s sight) asShown(l Listing) Known {
	k, known := s.memo.Known[l.Key]
	if !known { // told by another search
		return s.knownAs(l, Alerted)
	}
	k.Key, k.Canonical, k.ID, k.LeftDay = l.Key, l.Canonical, cmp.Or(l.ID, k.ID), -1
	k.Title = cmp.Or(l.Title, k.Title)
	if l.Price.Amount > 0 && (k.Price.Amount == 0 || !l.Price.Unsure) {
		k.Price = l.Price
	}
	if l.AreaM2 > 0 {
		k.AreaM2 = l.AreaM2
	}
	if now := k.shown(l).words(); k.How == Filtered && !alike(now, k.Words) {
		k.Words = now
	}
	if s.hides(l, k) {
		k.Hidden = hiddenChecks
	}
	return k
}

// alike says whether two cards have the same words, numbers aside: one that counts its
// visitors or its days is not worth a write at every check.
func alike(a, b string) bool {
	return a == b || figures.ReplaceAllString(a, "") == figures.ReplaceAllString(b, "")
}

// believed is asShown with what the filter makes of these values. Marks are taken off
// where another version of the reader does not see them.
func (s sight) believed(l Listing) Known {
	k := s.asShown(l)
	if s.reread() && !s.hides(l, k) {
		k.Hidden = 0
	}
	switch passes := s.search.Filter.Passes(k.shown(l)); {
	case k.How == Filtered && !passes:
		k.Filter = s.verdict()
	case k.Hidden == 0 && (k.How == Filtered || k.How == Let):
		k.How, k.Filter = Adopted, ""
	}
	return k
}

// shown is a listing with what is known of it where the page does not show it now.
func (k Known) shown(l Listing) Listing {
	l.Title, l.Price, l.AreaM2 = k.Title, k.Price, k.AreaM2
	return l
}

// before is a listing as it was when it was last read, in its words too where they were
// noted and are those of today's reader.
func (s sight) before(k Known, l Listing) Listing {
	l = k.shown(l)
	if k.Words != "" && strings.HasSuffix(k.Filter, s.reader()) {
		l.Title, l.Address, l.Text = "", "", k.Words
	}
	return l
}

// hides says whether a card's own words keep the home back: it is let, or it has a
// word that the filter excludes and that has kept it back before.
func (s sight) hides(l Listing, k Known) bool {
	return l.Let || k.How == Filtered && s.search.Filter.excludes(k.shown(l))
}

// marksLifted says whether so many homes become free in one check that this is
// another view of the page and not the market.
func (s sight) marksLifted() bool {
	hidden, freed := 0, 0
	for _, l := range s.listings {
		if k, known := s.memo.Known[l.Key]; known && k.Hidden > 0 {
			hidden++
			if k.Hidden == 1 && !s.hides(l, k) {
				freed++
			}
		}
	}
	return freed >= hiddenFrom && freed*2 > hidden
}

// see writes down what is known of a listing when that has changed, names it
// when it became known without an alert, and joins the alerts of other searches.
func (out *outcome) see(s sight, l Listing, k Known) {
	was, known := s.memo.Known[l.Key]
	if k.How != Filtered {
		k.Words = ""
	}
	if k != was {
		out.known = append(out.known, k)
	}
	if known && was.Key != k.Key && was.ID != "" { // the number is the new row's now
		was.ID = ""
		out.known = append(out.known, was)
	}
	if known && was.How != Adopted && k.How == Adopted {
		out.adopted = append(out.adopted, l)
	}
	if k.How != Filtered {
		out.joined = append(out.joined, s.memo.Alerts[l.Key]...)
	}
}

// revisit looks at a listing that the search knows, and returns what it knows from
// now on. otherView says that the homes that become free do so with many others.
func (out *outcome) revisit(s sight, l Listing, was Known, otherView bool) Known {
	k := s.asShown(l)
	if was.Hidden > 0 && !s.hides(l, k) {
		k.Hidden = was.Hidden - 1
	}
	free := was.Hidden > 0 && k.Hidden == 0
	switch {
	case k.Hidden > 0:
		return k
	case free && otherView:
		k.How, k.Filter = Adopted, ""
		return k
	case was.How == Filtered:
		return out.reconsider(s, l, was, k)
	case free:
		return out.freed(s, l, k)
	case s.returned(was):
		out.tell(s, Alert{ID: alertID(l.Key, Back, s.now.UTC().Format(time.DateOnly)), Kind: Back, Listing: k.shown(l)})
		return k
	}
	return out.reprice(s, l, was, k)
}

// returned says whether a listing that is here again was away for long enough,
// on a page that would have shown it, to count as back on the market.
func (s sight) returned(was Known) bool {
	return was.LeftDay >= 0 && s.rec.View == "" && s.page.ShowsAll() &&
		s.rec.Days-was.LeftDay >= s.timing.BackDays
}

// freed tells a home that was let: as back when it was told before, else as new.
func (out *outcome) freed(s sight, l Listing, k Known) Known {
	a := Alert{ID: alertID(l.Key, New, ""), Kind: New, Listing: k.shown(l)}
	if k.How == Alerted || len(s.memo.Alerts[l.Key]) > 0 {
		a.ID, a.Kind = alertID(l.Key, Back, s.now.UTC().Format(time.DateOnly)), Back
	}
	if k.How = Alerted; !s.search.Filter.Passes(a.Listing) {
		k.keepBack(s, a.Listing)
	}
	out.tell(s, a)
	return k
}

// reconsider looks at a listing that the filter had kept back. It is new when a value
// that was read has changed, which is so when the same filter lets it pass now, or
// when what was known would not pass this one; when only the user has edited the
// filter, or the reader has changed, it becomes known without an alert. So does one of
// which nobody noted why it was kept back.
func (out *outcome) reconsider(s sight, l Listing, was, k Known) Known {
	filter, now := s.search.Filter, k.shown(l)
	k.Filter = ""
	switch {
	case !filter.Passes(now):
		k.Filter = s.verdict()
	case was.Filter == "" || was.Filter != s.verdict() && filter.Passes(s.before(was, l)):
		k.How = Adopted
	case len(s.memo.Alerts[l.Key]) > 0: // another search has told it, at what it cost then
		k.How = Alerted
		return out.reprice(s, l, was, k)
	default:
		k.How = Alerted
		out.tell(s, Alert{ID: alertID(l.Key, New, ""), Kind: New, Listing: now})
	}
	return k
}

// reprice tells a price drop. A smaller fall is not told and moves nothing, so
// that several of them add up to one that is.
func (out *outcome) reprice(s sight, l Listing, was, k Known) Known {
	if !was.Price.Comparable(k.Price) || k.Price.Amount == was.Price.Amount {
		return k
	}
	drop := l.Price.Amount <= was.Price.Amount*(1-dropShare)
	out.rewrite(s, l, was.Price, drop)
	if drop && s.search.PriceDrops {
		out.tell(s, Alert{ID: alertID(l.Key, PriceDrop, priceMark(l.Price)), Kind: PriceDrop, Listing: k.shown(l), Was: was.Price})
	}
	// Neither does one move anything that the filter stops: a required word may be
	// back at the next check.
	if l.Price.Amount < was.Price.Amount && !(drop && s.search.Filter.Passes(k.shown(l))) {
		k.Price = was.Price
	}
	return k
}

// rewrite puts a changed price into the `new` alert of a listing where somebody has
// still to be told of it. A drop is an alert of its own all the same: others may know
// the price before.
func (out *outcome) rewrite(s sight, l Listing, was Price, drop bool) {
	for _, id := range s.memo.Alerts[l.Key] {
		a, open := s.memo.Open[id]
		if !open || a.Kind != New {
			continue
		}
		if drop && a.Was.Amount == 0 {
			a.Was = was
		}
		if l.Price.Amount >= a.Was.Amount {
			a.Was = Price{}
		}
		a.Listing.Price = l.Price
		out.repriced = append(out.repriced, a)
	}
}

// pricesMoved says whether so many prices moved in one check that this is
// another view of the page and not the market: at least three, and over half.
func (s sight) pricesMoved() bool {
	read, moved := 0, 0
	for _, l := range s.listings {
		k, known := s.memo.Known[l.Key]
		if !known || k.Price.Amount <= 0 || l.Price.Amount <= 0 || l.Price.Unsure {
			continue
		}
		read++
		if k.Price.Amount != l.Price.Amount || !k.Price.Comparable(l.Price) {
			moved++
		}
	}
	return moved >= 3 && moved*2 > read
}

// priceMark is what tells one price drop of a listing from another.
func priceMark(p Price) string {
	return strconv.FormatFloat(p.Amount, 'f', -1, 64) + " " + p.Currency + " " + string(p.Period)
}
