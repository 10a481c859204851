package monitor

import (
	"context"
	"slices"
	"time"
)

// replies are the replies that wait, the one that is on its way, and all that the
// journal tells. They belong to the monitor's goroutine.
type replies struct {
	waiting []*reply // in the order in which their listings were found
	now     *reply   // on its way; nil when there is none
	entries []ReplyEntry
	last    map[string]ReplyEntry // by Listing.Key
	keyOf   map[string]string     // Listing.Canonical -> Listing.Key
	held    bool                  // until the user's click
	unsafe  bool                  // the journal cannot be written: nothing is sent
	wakeAt  time.Time             // monotonic: when a delay is over; zero: nothing waits for the time
}

// reply is one that waits or is on its way.
type reply struct {
	listing  Listing
	alert    string // Alert.ID
	search   string // Search.URL
	found    time.Time
	due      time.Time // monotonic; zero until the listing is told
	told     bool      // a banner or an email about the listing is out
	asked    bool      // shown to the user for a click
	approved bool
	tries    int
	sealed   bool // past "about to send"
	stopped  bool // cut short by us
	cancel   context.CancelFunc
	recipe   Recipe // as it was started with
	text     string
}

func newReplies(entries []ReplyEntry, held bool) replies {
	r := replies{last: map[string]ReplyEntry{}, keyOf: map[string]string{}, held: held}
	for _, e := range entries {
		r.add(e)
	}
	return r
}

func (r *replies) add(e ReplyEntry) {
	r.entries = append(r.entries, e)
	if e.Key == "" {
		return
	}
	r.last[e.Key] = e
	if e.Canonical != "" {
		r.keyOf[e.Canonical] = e.Key
	}
}

// known is the last that is on record of a listing, under whatever key.
func (r *replies) known(l Listing) (ReplyEntry, bool) {
	e, ok := r.last[l.Key]
	if !ok {
		e, ok = r.last[r.keyOf[l.Canonical]]
	}
	return e, ok
}

func (r *replies) waits(l Listing) bool {
	return slices.ContainsFunc(r.waiting, func(q *reply) bool {
		return q.listing.Key == l.Key || l.Canonical != "" && q.listing.Canonical == l.Canonical
	})
}

// replying says whether this monitor can reply at all.
func (m *Monitor) replying() bool { return m.opts.Replier != nil && m.opts.Journal != nil }

// wantReplies queues replies to new listings that a search has just found.
func (m *Monitor) wantReplies(s Search, alerts []Alert) {
	if !m.replying() || s.Reply == "" {
		return
	}
	for _, a := range alerts {
		// One that is on record as queued and does not wait was found just before a
		// crash, and its alert was lost with it: now it is new again.
		e, known := m.replies.known(a.Listing)
		if a.Kind != New || known && e.Event != ReplyQueued || m.replies.waits(a.Listing) {
			continue
		}
		q := &reply{listing: a.Listing, alert: a.ID, search: s.URL, found: a.Found}
		if known || m.noteReply(q, ReplyQueued, s.Reply, "") == nil {
			m.replies.waiting = append(m.replies.waiting, q)
		}
	}
}

// requeue takes up what was waiting when the program ended, as long as its alert
// is remembered.
func (m *Monitor) requeue() {
	var ids []string
	for key, e := range m.replies.last {
		if e.Event == ReplyQueued {
			ids = append(ids, alertID(key, New, ""))
		}
	}
	alerts, err := m.book.ledger.Alerts(context.Background(), ids)
	if err != nil {
		m.log.Warn("The replies that waited cannot be read", "reason", err)
	}
	for _, a := range alerts {
		e := m.replies.last[a.Listing.Key]
		for _, w := range m.watches {
			if w.search.Reply == e.Recipe && a.Names(w.search.Name) {
				m.replies.waiting = append(m.replies.waiting, &reply{listing: a.Listing, alert: a.ID, search: w.search.URL, found: a.Found})
				break
			}
		}
	}
	slices.SortFunc(m.replies.waiting, func(a, b *reply) int { return a.found.Compare(b.found) })
}

// noteReply writes what has happened to a reply. What the disk refuses is remembered
// all the same; but nothing is sent any more until the user allows it.
func (m *Monitor) noteReply(q *reply, event ReplyEvent, recipe, note string) error {
	l := q.listing
	e := ReplyEntry{
		Key: l.Key, Canonical: l.Canonical, URL: l.URL, Title: replyTitle(l),
		Recipe: recipe, Event: event, Note: note,
	}
	if q.recipe.Name != "" {
		e.Print, e.Text = q.recipe.print(), q.text
	}
	return m.journal(e)
}

func (m *Monitor) journal(e ReplyEntry) error {
	e.At = m.now()
	err := m.opts.Journal.Write(e)
	m.replies.add(e)
	if err != nil {
		m.replies.unsafe = true
		m.log.Warn("A reply could not be written down, so none is sent any more", "reason", err)
	}
	m.replyTrouble()
	return err
}
