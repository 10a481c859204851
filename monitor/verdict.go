package monitor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// conclude takes one finished check to its end: what it means for the host, what
// it means for the search, on disk, and then told.
func (m *Monitor) conclude(w *watch, previous time.Time, page Page, err error) {
	if err != nil {
		m.noVerdict(w, err)
		return
	}
	m.cycle.done++
	m.incidents.report("browser", "", false)
	t := m.cycle.tally(w)
	h := m.book.host(w.search.Host())
	w.row.Checked, w.row.Took = m.now(), page.Took
	w.row.Verdict, w.row.Reason = page.Verdict, page.Reason
	switch { // its pace is over; what the page is may begin another, or be a rung of its ladder
	case page.Verdict.Clean(), page.Verdict == SignedOut:
		w.pace, w.refused, w.alone = Backoff{}, false, false
	case !w.pace.Held():
		w.pace = Backoff{}
	case page.Verdict != Refused:
		w.pace = w.pace.repeat(m.timing, m.now(), m.rand.Float64())
	}
	var change Change
	switch page.Verdict {
	case Results, Empty:
		m.served(h, t)
		t.clean = true
		w.failed, w.strayed, w.signedOut = 0, 0, false
		for _, other := range m.siblings(h) {
			other.beside = true
		}
		if w.search.Enabled { // else it was deleted or disabled meanwhile
			change = m.accept(w, previous, page)
		}
	case SignedOut:
		m.served(h, t)
		t.answered = true
		w.failed, w.strayed, w.signedOut = 0, 0, true
		w.pace = waitFor(m.timing.SignedOutPace, m.now())
		w.row.State, w.row.Text = RowSignedOut, "signed out: sign in again"
		m.note(w, "Signed out: sign in again")
	case Refused:
		t.answered = true
		m.refused(w, h, page)
	case Failed:
		m.failed(w, t, page)
	case NotResults:
		t.answered = true
		change = m.strayed(w, h, t, page)
	}
	if page.Verdict != Results && page.Verdict != Empty {
		m.log.Info(fmt.Sprintf("%s: %s", w.search.Name, w.row.Text), "reason", page.Reason)
	}
	change.Records = append(change.Records, m.noteAlone(w)...)
	m.finish(w, page, change)
}

// noteAlone writes down the rung of a search that is refused alone, as a host's is.
func (m *Monitor) noteAlone(w *watch) []Record {
	rec, own := m.book.record(w.search.URL, ""), Backoff{}
	if w.alone {
		own = w.pace
	}
	if rec.Alone == own {
		return nil
	}
	rec.Alone = own
	m.book.put(rec)
	return []Record{rec}
}

// finish writes everything about a check in one transaction, and only then
// shows a banner for what is new.
func (m *Monitor) finish(w *watch, page Page, change Change) {
	change.Checks = append(change.Checks, CheckRecord{
		Search: w.search.URL, At: w.started, Took: page.Took, Verdict: page.Verdict,
		Reason: page.Reason, Listings: len(page.Ordinary()), News: len(change.Alerts),
	})
	change.Hosts = append(change.Hosts, m.book.changedHosts()...)
	m.book.save(change)
	if len(change.Alerts) > 0 {
		m.teller.News(false)
	}
}

// noVerdict handles a check that says nothing about the host: the browser died.
// The check is repeated once in this cycle; when that does not help either, the
// browser is down for every search.
func (m *Monitor) noVerdict(w *watch, err error) {
	if !errors.Is(err, ErrBrowser) || !m.watched(w) {
		m.cycle.done++ // cut short while it was on its way out, or not wanted any more
		return
	}
	w.row.State, w.row.Text = RowFailed, err.Error()
	if !m.cycle.retried[w] {
		m.cycle.retried[w] = true
		m.cycle.queue = append(m.cycle.queue, w)
		m.log.Warn(w.search.Name+": browser trouble, checking again", "reason", err)
		return
	}
	m.cycle.done++
	m.incidents.report("browser", err.Error(), false)
	for _, other := range m.cycle.queue {
		other.row.State, other.row.Text = RowFailed, err.Error()
		m.cycle.done++
	}
	m.cycle.queue, m.cycle.held = nil, map[string][]*watch{}
}

// served clears a host that answers, and lets its held searches follow.
func (m *Monitor) served(h *host, t *tally) {
	if h.rec.Held() {
		m.log.Info(h.rec.Host + " serves us again")
	}
	h.rec, h.reason = h.rec.Clear(), ""
	if t.probe != nil {
		m.release(h.rec.Host)
	}
}

// refused puts the host on the next rung and leaves it alone. A search that is refused
// time after time, while others of its host are served, has a ladder of its own, and the
// host is not held for it. Where it concerns the host all the same, that takes over the
// rung: each clean probe would begin at the first one again.
func (m *Monitor) refused(w *watch, h *host, page Page) {
	reason := "refused"
	if page.Status >= 400 {
		reason = fmt.Sprintf("refused (%d)", page.Status)
	}
	w.row.State, w.row.Text = RowRefused, reason
	again := w.refused && w.beside
	w.refused, w.beside = true, false
	if again || w.pace.Held() {
		w.pace = w.pace.Climb(RefusalLadder, m.timing, page.RetryAfter, m.now(), m.rand.Float64())
		w.alone = again && page.RetryAfter == 0 && !page.Robot && m.mayBeAlone(w, h)
	}
	if w.alone {
		m.log.Warn(w.search.Name+": refused, while others of "+h.rec.Host+" are served. Leaving it alone", "until", clock(w.pace.RetryAt), "reason", page.Reason)
		return
	}
	h.rec.Backoff = h.rec.Climb(RefusalLadder, m.timing, page.RetryAfter, m.now(), m.rand.Float64())
	if w.pace.Rung > h.rec.Rung {
		h.rec.Backoff = w.pace
	}
	h.rec.Probe, h.reason = w.search.URL, reason
	m.hold(h.rec.Host)
	m.log.Warn(h.rec.Host+" refused us. Leaving it alone", "until", clock(h.rec.RetryAt), "reason", page.Reason)
}

// mayBeAlone says whether no more than half of a host's searches would be refused alone.
func (m *Monitor) mayBeAlone(w *watch, h *host) bool {
	all, alone := m.siblings(h), 1
	for _, other := range all {
		if other.alone && other != w {
			alone++
		}
	}
	return alone*2 <= len(all)
}

// siblings are the searches of a host that are watched.
func (m *Monitor) siblings(h *host) (all []*watch) {
	for _, w := range m.watches {
		if m.watched(w) && w.search.Host() == h.rec.Host {
			all = append(all, w)
		}
	}
	return all
}

// failed counts towards the end of the cycle; two failures are enough to see
// that the host's other searches would fail as well.
func (m *Monitor) failed(w *watch, t *tally, page Page) {
	t.failures++
	t.failed = append(t.failed, w)
	t.reason = page.Reason
	if page.Unreachable {
		t.unreachable++
	}
	w.row.State, w.row.Text = RowFailed, page.Reason
	if t.failures >= failuresPerCycle {
		m.hold(w.search.Host())
	}
}

// strayed handles a page that is not the one that was saved. Before there is a baseline
// its address is written down: it may be the search all the same, with nothing in it yet.
func (m *Monitor) strayed(w *watch, h *host, t *tally, page Page) Change {
	if t.probe != nil {
		h.rec.Backoff = h.rec.repeat(m.timing, m.now(), m.rand.Float64())
	}
	w.row.State, w.row.Text = RowFailed, page.Reason
	w.strayed++
	if w.strayed >= troubleLimit && !w.pace.Held() {
		w.pace = waitFor(m.timing.TroublePace, m.now())
	}
	rec := m.book.record(w.search.URL, page.View)
	if !w.search.Enabled || !rec.AcceptedAt.IsZero() || rec.FinalURL == page.FinalURL {
		return Change{}
	}
	rec.FinalURL = page.FinalURL
	m.book.put(rec)
	return Change{Records: []Record{rec}}
}

// accept takes a clean page through the guards and the diff.
func (m *Monitor) accept(w *watch, previous time.Time, page Page) Change {
	w.view = page.View
	s := sight{
		search: w.search, page: page, rec: m.book.record(w.search.URL, page.View),
		paid: w.paid, now: m.now(), previous: previous,
		interval: m.settings.Interval, timing: m.timing,
	}
	out, err := guarded(m.log, func() (out outcome, err error) {
		if s.memo, err = m.book.recall(s.rec, page); err == nil {
			out = decide(s)
		}
		return out, err
	})
	if err != nil {
		out = outcome{record: s.rec, state: RowFailed, text: err.Error()}
	}
	m.show(w, out, page)
	w.paid = identsOf(page.promoted())
	if out.unordered {
		m.sayUnordered(w, page)
	}
	m.book.put(out.record)
	if out.accepted && s.rec.landed() == "" && len(page.Dropped) > 0 {
		m.sayDropped(w, page)
	}
	alerts := slices.Concat(out.repriced, out.alerts, out.joins(s.memo.Open, w.search.Name))
	m.wantReplies(w.search, alerts)
	return Change{Records: m.book.worthSaving(s.rec, out.record), Known: out.known, Alerts: alerts}
}

// joins are open alerts that this search has found as well, with its name added.
func (out outcome) joins(open map[string]Alert, search string) []Alert {
	var joined []Alert
	for _, id := range out.joined {
		a, there := open[id]
		if i := slices.IndexFunc(out.repriced, func(r Alert) bool { return r.ID == id }); i >= 0 {
			a = out.repriced[i]
		}
		if there && !a.Names(search) {
			a.Searches = append(slices.Clone(a.Searches), search)
			joined = append(joined, a)
		}
	}
	return joined
}

// sayDropped names what the site took out of the address of a search when it was first
// looked at: the page is taken for what was meant, and may be of the whole country.
func (m *Monitor) sayDropped(w *watch, page Page) {
	note := "The site dropped " + strings.Join(page.Dropped, ", ") + " from the address"
	m.note(w, note)
	m.log.Warn(w.search.Name+": "+note, "url", page.FinalURL)
	m.notice(Banner{
		Title: w.search.Name + ": look whether this is your search",
		Body:  note + ". What it shows instead is watched.", URL: page.FinalURL,
	})
}
