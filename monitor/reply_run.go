package monitor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// reply starts the first waiting reply that may go now, and takes those off the
// queue that may never. One is on its way at a time.
func (m *Monitor) reply(ctx context.Context) {
	r := &m.replies
	r.wakeAt = time.Time{}
	m.noteTold()
	for _, h := range m.book.hosts {
		h.replyNext = false
	}
	for _, q := range slices.Clone(r.waiting) {
		if q == r.now {
			continue
		}
		recipe, c := m.weigh(q)
		move, why := c.move()
		switch move {
		case replyDrops, replyStops:
			m.dropReply(q, recipe, move, why)
		case replyAsks:
			if !q.asked {
				q.asked = true
				m.log.Info("Reply to " + replyTitle(q.listing) + "? It waits for your click in the menu")
			}
		case replyStarts:
			if r.now == nil {
				m.startReply(ctx, q, recipe)
			}
		case replyTakesTurn:
			m.book.host(HostOf(q.listing.URL)).replyNext = true
		}
	}
}

// weigh is the case of a waiting reply as it stands now. It draws the delay when
// the listing has been told.
func (m *Monitor) weigh(q *reply) (Recipe, replyCase) {
	s, recipe, found := m.recipeOf(q.search)
	now := m.now()
	c := replyCase{
		gone: !found, mode: recipe.Mode, approved: q.approved,
		held: m.replies.held || m.replies.unsafe, limit: recipe.DailyLimit,
		told: q.told, stale: now.Sub(q.found) > m.timing.ReplyStale,
	}
	if e, known := m.replies.known(q.listing); known && e.Event != ReplyQueued {
		c.answered = true
	}
	if !found {
		return recipe, c
	}
	current := q.listing
	for _, l := range m.book.record(s.URL, m.viewOf(s.URL)).Baseline {
		if l.Key == q.listing.Key {
			current = l // its price may have changed
		}
	}
	c.filtered, c.elsewhere = s.Filter.rulesOut(current), !recipe.Covers(q.listing.URL) // it had the words when it was told
	c.off = failuresInARow(m.replies.entries, recipe.Name, recipe.print()) >= failuresToSwitchOff
	c.today = repliesOn(m.replies.entries, recipe.Name, now.In(m.zone()))
	if c.told && q.due.IsZero() && recipe.DelayMost > 0 {
		q.due = time.Now().Add(recipe.DelayLeast + time.Duration(m.rand.Float64()*float64(recipe.DelayMost-recipe.DelayLeast)))
	}
	if left := time.Until(q.due); left > 0 && !q.approved {
		c.delayed = true
		m.replies.wakeAt = earlier(m.replies.wakeAt, q.due)
	}
	c.busy, c.turn = m.inTheWay(s, q.listing.URL), m.turn(q.listing.URL)
	return recipe, c
}

// inTheWay says what comes before a reply at this moment: the user's wishes, and
// the backoff that it shares with the checks of its host.
func (m *Monitor) inTheWay(s Search, url string) string {
	h := m.book.host(HostOf(url))
	switch {
	case m.replies.now != nil:
		return "another reply is on its way"
	case m.paused || m.book.record(s.URL, "").Paused:
		return "paused"
	case m.signing != nil || m.resting || m.offline:
		return "the browser is not free"
	case h.rec.Held():
		return h.rec.Host + " is being left alone"
	}
	return ""
}

// turn says whether a reply has to wait for its turn at a host: a check of it is on
// its way, or the last request was a moment ago.
func (m *Monitor) turn(url string) bool {
	h := m.book.host(HostOf(url))
	if m.cycle != nil {
		for w := range m.cycle.inFlight {
			if w.search.Host() == h.rec.Host {
				return true
			}
		}
	}
	if time.Now().Before(h.nextStart) {
		m.replies.wakeAt = earlier(m.replies.wakeAt, h.nextStart)
		return true
	}
	return false
}

// recipeOf is the search at an address with its recipe, if it has one and is enabled.
func (m *Monitor) recipeOf(url string) (Search, Recipe, bool) {
	for _, w := range m.watches {
		if w.search.URL != url || !w.search.Enabled {
			continue
		}
		for _, r := range m.settings.Recipes {
			if r.Name == w.search.Reply {
				return w.search, r, true
			}
		}
	}
	return Search{}, Recipe{}, false
}

func (m *Monitor) viewOf(url string) string {
	for _, w := range m.watches {
		if w.search.URL == url {
			return w.view
		}
	}
	return ""
}

// noteTold notes of which waiting replies a banner or an email about the alert is out: in
// one look, so that they are asked for in their order.
func (m *Monitor) noteTold() {
	var ids []string
	for _, q := range m.replies.waiting {
		if !q.told {
			ids = append(ids, q.alert)
		}
	}
	if len(ids) == 0 {
		return
	}
	alerts, err := m.book.ledger.Alerts(context.Background(), ids)
	if err != nil {
		m.log.Warn("Whether listings are told cannot be read", "reason", err)
		return
	}
	for _, q := range m.replies.waiting {
		a, there := alerts[q.alert]
		q.told = q.told || !there || len(a.Told) > 0 || a.Bannered && m.settings.Banners
	}
}

func (m *Monitor) zone() *time.Location {
	if zone := m.settings.Quiet.Zone; zone != nil {
		return zone
	}
	return time.Local
}

// dropReply takes a reply off the queue for good, and says why.
func (m *Monitor) dropReply(q *reply, recipe Recipe, move replyMove, why string) {
	m.unqueue(q)
	if e, known := m.replies.known(q.listing); known && e.Event != ReplyQueued {
		return // it is on record already
	}
	_ = m.noteReply(q, ReplySkipped, recipe.Name, why)
	m.log.Info("No reply to "+replyTitle(q.listing)+": "+why, "url", q.listing.URL)
	if move == replyStops {
		m.notice(noReply(q.listing, why))
	}
}

func (m *Monitor) unqueue(q *reply) {
	m.replies.waiting = slices.DeleteFunc(m.replies.waiting, func(other *reply) bool { return other == q })
}

// startReply does a reply beside the loop.
func (m *Monitor) startReply(parent context.Context, q *reply, recipe Recipe) {
	s, _, _ := m.recipeOf(q.search)
	message, steps, err := recipe.Compose(q.listing, s.Name)
	q.recipe, q.text = recipe, message
	if err != nil {
		m.unqueue(q)
		m.failReply(q, ReplyResult{Reason: "the recipe cannot be filled in: " + err.Error()})
		return
	}
	ctx, cancel := context.WithCancel(parent)
	q.cancel, q.sealed, q.stopped = cancel, false, false
	q.tries++
	m.replies.now = q
	h := m.book.host(HostOf(q.listing.URL))
	h.nextStart = time.Now().Add(m.spread(m.timing.Spacing, m.timing.SpacingJitter))
	job := ReplyJob{
		Listing: q.listing, Recipe: recipe, Message: message, Steps: steps, MaxPrice: s.Filter.MaxPrice,
		DryRun: recipe.Mode == DryRun, Patience: m.timing.ReplyPatience,
	}
	m.log.Info("Replying to "+replyTitle(q.listing), "recipe", recipe.Name, "mode", recipe.Mode, "url", q.listing.URL)
	seal := func() error { return m.ask(ctx, func() error { return m.sealReply(q) }) }
	go func() {
		defer cancel()
		result, err := Call(ctx, m.log, replyLimit, func(ctx context.Context) (ReplyResult, error) { return m.opts.Replier.Reply(ctx, job, seal) })
		var fault *Fault
		switch {
		case errors.As(err, &fault):
			result, err = ReplyResult{Outcome: ReplyStopped, Reason: err.Error()}, nil
		case errors.Is(err, ErrLeft):
			err = fmt.Errorf("%w: the reply did not come to an end within %v", ErrBrowser, replyLimit)
		}
		m.do(func() { m.replied(q, result, err) })
	}()
}

// sealReply is the last word before the click: it is written down that the reply is
// about to be sent. What has come in between puts it off.
func (m *Monitor) sealReply(q *reply) error {
	_, c := m.weigh(q)
	h := m.book.host(HostOf(q.listing.URL))
	switch {
	case m.replies.now != q || q.stopped || m.paused || m.signing != nil || h.rec.Held() || c.held:
		return errNotNow
	case c.answered || c.gone || c.off || c.filtered || c.today >= c.limit:
		return errNotNow // the queue says why
	}
	if err := m.noteReply(q, ReplyAbout, q.recipe.Name, ""); err != nil {
		return err
	}
	q.sealed = true
	return nil
}

// stopReply cuts a reply short that is not past the point of no return.
func (m *Monitor) stopReply() {
	if q := m.replies.now; q != nil && !q.sealed {
		q.stopped = true
		q.cancel()
	}
}

// replied takes one reply to its end.
func (m *Monitor) replied(q *reply, result ReplyResult, err error) {
	m.replies.now = nil
	if q.sealed {
		m.unqueue(q)
		switch {
		case err != nil:
			result = ReplyResult{Outcome: ReplyUnconfirmed, Reason: err.Error()}
			fallthrough
		case result.Outcome != ReplyConfirmed:
			result.Reason += ": look on the site whether it arrived. It is not sent again"
			m.failReply(q, result)
		default:
			m.wasSent(q, result)
		}
		return
	}
	switch {
	case err != nil && (q.stopped || errors.Is(err, errNotNow)):
		q.tries--
	case err != nil && q.tries < replyTries:
		m.log.Warn("The reply to "+replyTitle(q.listing)+" is tried again", "reason", err)
	case err == nil && result.Outcome == ReplyRefused:
		m.refusedReply(q, result)
	case err != nil:
		m.unqueue(q)
		m.failReply(q, ReplyResult{Reason: err.Error()})
	case result.Outcome == ReplyPrepared:
		m.unqueue(q)
		m.log.Info("A reply was filled in and not sent, as "+q.recipe.Name+" is a dry run", "picture", result.Picture)
		_ = m.journal(m.outcomeOf(q, ReplyTried, result))
	default:
		m.unqueue(q)
		m.failReply(q, result)
	}
}

// refusedReply leaves a host alone that has refused a reply, as it would after a check.
func (m *Monitor) refusedReply(q *reply, result ReplyResult) {
	h := m.book.host(HostOf(q.listing.URL))
	if !h.rec.Held() {
		h.rec.Backoff = h.rec.Climb(RefusalLadder, m.timing, result.RetryAfter, m.now(), m.rand.Float64())
		h.reason = "refused"
		if m.cycle != nil {
			m.hold(h.rec.Host)
		}
		m.book.save(Change{Hosts: m.book.changedHosts()})
		m.log.Warn(h.rec.Host+" refused a reply. Leaving it alone", "until", clock(h.rec.RetryAt), "reason", result.Reason)
	}
	if q.tries >= replyTries {
		m.unqueue(q)
		m.failReply(q, result)
	}
}

func (m *Monitor) outcomeOf(q *reply, event ReplyEvent, result ReplyResult) ReplyEntry {
	l := q.listing
	return ReplyEntry{
		Key: l.Key, Canonical: l.Canonical, URL: l.URL, Title: replyTitle(l), Recipe: q.recipe.Name, Print: q.recipe.print(),
		Event: event, Note: result.Reason, Text: q.text, Picture: result.Picture,
	}
}

func (m *Monitor) wasSent(q *reply, result ReplyResult) {
	_ = m.journal(m.outcomeOf(q, ReplySent, result))
	m.log.Info("Replied to "+replyTitle(q.listing), "url", q.listing.URL)
	m.notice(Banner{Title: "Replied to " + replyTitle(q.listing), Body: q.text, URL: q.listing.URL})
}

func (m *Monitor) failReply(q *reply, result ReplyResult) {
	_ = m.journal(m.outcomeOf(q, ReplyFailed, result))
	b := noReply(q.listing, result.Reason)
	if q.sealed {
		b.Title = "Perhaps no reply to " + replyTitle(q.listing)
	}
	m.log.Warn(b.Title+": "+result.Reason, "url", q.listing.URL, "picture", result.Picture)
	m.notice(b)
}

func noReply(l Listing, why string) Banner {
	return Banner{Title: "No reply to " + replyTitle(l), Body: why, URL: l.URL}
}
