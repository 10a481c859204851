package monitor

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// dropShare is how much cheaper a listing must become to be worth telling: the
// 2 % that Rightmove uses for its own reduction alerts.
const dropShare = 0.02

// endOfPage marks a listing that may only have moved up a place.
const endOfPage = "at the end of the page, perhaps not new"

// news is the diff of an accepted page: what is unknown is new, and what is
// known may have become cheaper, come back, or begun to pass the filter.
func (s sight) news(unknown []Listing) outcome {
	var out outcome
	tail, doubt := s.tail(unknown)
	for _, l := range unknown {
		switch {
		case !tail.has(l):
			out.discover(s, l, "")
		case doubt != "":
			out.discover(s, l, doubt)
		default:
			out.adopted = append(out.adopted, l)
			out.known = append(out.known, s.knownAs(l, Adopted))
		}
	}
	if moved := len(out.adopted); moved > 0 {
		out.note = fmt.Sprintf("%s moved up from the next page, not told", count(moved))
		out.log = fmt.Sprintf("%s: %s at the end of the page moved up when others left", s.search.Name, count(moved))
	}
	out.revisitAll(s)
	return out
}

// tail are the unknown listings at the end of the page that may have moved up,
// and what to say of them when they are told all the same ("" adopts them).
func (s sight) tail(unknown []Listing) (idents, string) {
	if len(unknown) == 0 || s.page.ShowsAll() {
		return idents{}, ""
	}
	left := len(missing(s.rec.Baseline, s.listings))
	tail := identsOf(movedUp(s.listings, identsOf(unknown), left, s.rec.AcceptedAt))
	newestFirst := s.page.NewestFirst
	if s.search.NewestFirst != nil {
		newestFirst = *s.search.NewestFirst
	}
	if newestFirst {
		return tail, ""
	}
	return tail, endOfPage
}

// discover makes an unknown listing known, and new unless the filter keeps it back.
func (out *outcome) discover(s sight, l Listing, doubt string) {
	out.known = append(out.known, s.knownAs(l, Alerted))
	out.tell(s, Alert{ID: alertID(l.Key, New, ""), Kind: New, Listing: l, Doubt: doubt})
}

// tell makes an alert, unless there is one already or the filter says no.
func (out *outcome) tell(s sight, a Alert) {
	if slices.Contains(s.memo.Alerts[a.Listing.Key], a.ID) || !s.search.Filter.Passes(a.Listing) {
		return
	}
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

// revisitAll looks again at every known listing of the page.
func (out *outcome) revisitAll(s sight) {
	otherView := s.pricesMoved()
	for _, l := range s.listings {
		if s.isUnknown(l) {
			continue
		}
		k := s.settled(l)
		if was, known := s.memo.Known[l.Key]; known && !otherView {
			k = out.revisit(s, l, was, k)
		}
		out.see(s, l, k)
	}
}

// settled is what the search will know of a listing when the values on this
// page are believed as they are. What the page does not show stays as it was.
func (s sight) settled(l Listing) Known {
	k, known := s.memo.Known[l.Key]
	if !known { // told by another search
		return s.knownAs(l, Alerted)
	}
	k.Key, k.Canonical, k.Title, k.LeftDay = l.Key, l.Canonical, l.Title, -1
	if l.Price.Amount > 0 {
		k.Price = l.Price
	}
	if l.AreaM2 > 0 {
		k.AreaM2 = l.AreaM2
	}
	if k.How == Filtered && s.search.Filter.Passes(l) {
		k.How = Adopted
	}
	return k
}

// see writes down what is known of a listing when that has changed, names it
// when it became known without an alert, and joins the alerts of other searches.
func (out *outcome) see(s sight, l Listing, k Known) {
	was := s.memo.Known[l.Key]
	if k != was {
		out.known = append(out.known, k)
	}
	if was.How == Filtered && k.How == Adopted {
		out.adopted = append(out.adopted, l)
	}
	if k.How != Filtered {
		out.joined = append(out.joined, s.memo.Alerts[l.Key]...)
	}
}

// revisit looks at a listing that the search knows, and returns what it knows
// from now on, which is k but for what a fresh look at it changes.
func (out *outcome) revisit(s sight, l Listing, was, k Known) Known {
	switch {
	case was.How == Filtered:
		return out.reconsider(s, l, was, k)
	case s.returned(was):
		out.tell(s, Alert{ID: alertID(l.Key, Back, s.now.UTC().Format(time.DateOnly)), Kind: Back, Listing: l})
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

// reconsider looks at a listing that the filter had kept back. It is new when a
// value that was read has changed; when the user has edited the filter it
// becomes known without an alert.
func (out *outcome) reconsider(s sight, l Listing, was, k Known) Known {
	before, now := l, l
	before.Price, before.AreaM2, before.Title = was.Price, was.AreaM2, was.Title
	now.Price, now.AreaM2 = k.Price, k.AreaM2
	switch filter := s.search.Filter; {
	case !filter.Passes(now):
		k.How = Filtered
	case filter.Passes(before):
		k.How = Adopted
	default:
		k.How = Alerted
		if len(s.memo.Alerts[l.Key]) == 0 { // else another search has told it
			out.tell(s, Alert{ID: alertID(l.Key, New, ""), Kind: New, Listing: l})
		}
	}
	return k
}

// reprice tells a price drop. A smaller fall is not told and moves nothing, so
// that several of them add up to one that is.
func (out *outcome) reprice(s sight, l Listing, was, k Known) Known {
	if !was.Price.Comparable(l.Price) || l.Price.Amount == was.Price.Amount {
		return k
	}
	drop := l.Price.Amount <= was.Price.Amount*(1-dropShare)
	if out.rewrite(s, l, was.Price, drop) {
		return k
	}
	if drop && s.search.PriceDrops {
		out.tell(s, Alert{ID: alertID(l.Key, PriceDrop, priceMark(l.Price)), Kind: PriceDrop, Listing: l, Was: was.Price})
	}
	if l.Price.Amount < was.Price.Amount && !drop {
		k.Price = was.Price
	}
	return k
}

// rewrite puts a changed price into the `new` alert of a listing that nobody has
// been told of yet, and says whether there is one.
func (out *outcome) rewrite(s sight, l Listing, was Price, drop bool) bool {
	for _, id := range s.memo.Alerts[l.Key] {
		a, open := s.open[id]
		if !open || a.Kind != New || len(a.Told) > 0 {
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
		return true
	}
	return false
}

// pricesMoved says whether so many prices moved in one check that this is
// another view of the page and not the market: at least three, and over half.
func (s sight) pricesMoved() bool {
	read, moved := 0, 0
	for _, l := range s.listings {
		k, known := s.memo.Known[l.Key]
		if !known || k.Price.Amount <= 0 || l.Price.Amount <= 0 {
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
