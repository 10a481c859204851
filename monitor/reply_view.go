package monitor

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// recentReplies is how many replies the menu shows.
const recentReplies = 10

// ReplyRow is one reply as it is shown.
type ReplyRow struct {
	Key, URL string
	Title    string
	Recipe   string
	Event    ReplyEvent // ReplyAbout: on its way, or of unknown end
	At       time.Time
	Note     string // why, in words
	Text     string // what was, or would have been, sent
	Picture  string // a file; "" for none
}

// SendReply sends the reply that waits for the user's click.
func (m *Monitor) SendReply(key string) {
	m.do(func() {
		if q := m.waitingFor(key); q != nil {
			q.approved = true
		}
	})
}

// SkipReply drops the reply that waits for the user's click.
func (m *Monitor) SkipReply(key string) {
	m.do(func() {
		if q := m.waitingFor(key); q != nil {
			_, recipe, _ := m.recipeOf(q.search)
			m.dropReply(q, recipe, replyDrops, "you skipped it")
		}
	})
}

// AllowReplies is the user's click after a backup was put back, after failures that
// have switched a recipe off, and after a journal that could not be written.
func (m *Monitor) AllowReplies() {
	m.do(func() {
		if !m.replying() {
			return
		}
		m.replies.held, m.replies.unsafe = false, false
		_ = m.journal(ReplyEntry{Event: ReplyRelease})
	})
}

func (m *Monitor) waitingFor(key string) *reply {
	for _, q := range m.replies.waiting {
		if q.listing.Key == key && q.asked && q != m.replies.now {
			return q
		}
	}
	return nil
}

// replyTrouble says what keeps replies from being sent until the user does something.
func (m *Monitor) replyTrouble() { m.incidents.report("replies", m.replyObstacle(), true) }

func (m *Monitor) replyObstacle() string {
	const click = "Replies, Allow replies again"
	switch {
	case !m.replying() || len(m.settings.Recipes) == 0:
		return ""
	case m.replies.unsafe:
		return "No reply is sent: it could not be written down. Make room on the disk, then click " + click
	case m.replies.held:
		return "No reply is sent: the saved data is an older copy, and what was sent since is not known. Look at Replies, then click Allow replies again there"
	}
	var off []string
	for _, r := range m.settings.Recipes {
		if failuresInARow(m.replies.entries, r.Name, r.print()) >= failuresToSwitchOff {
			off = append(off, r.Name)
		}
	}
	if len(off) == 0 {
		return ""
	}
	return fmt.Sprintf("Replies with %s are switched off after %d failures in a row. Correct the recipe, or click %s",
		strings.Join(off, ", "), failuresToSwitchOff, click)
}

// showReplies puts the replies into a view: those that wait for a click, and the
// last ones with what came of them.
func (m *Monitor) showReplies(v *View) {
	v.RepliesStopped = m.replyObstacle() != ""
	for _, q := range m.replies.waiting {
		if move := q.asked && !q.approved; move && q != m.replies.now {
			v.Asks = append(v.Asks, ReplyRow{Key: q.listing.Key, URL: q.listing.URL, Title: replyTitle(q.listing), At: q.found})
		}
	}
	v.Replies = LastReplies(m.replies.entries, recentReplies)
}

// LastReplies are the last replies in a journal with their ends, the newest first.
// What only waits is not among them.
func LastReplies(entries []ReplyEntry, most int) []ReplyRow {
	var rows []ReplyRow
	seen := map[string]bool{}
	for _, e := range slices.Backward(entries) {
		if e.Key == "" || seen[e.Key] || e.Event == ReplyQueued || len(rows) == most {
			continue
		}
		seen[e.Key] = true
		rows = append(rows, ReplyRow{
			Key: e.Key, URL: e.URL, Title: e.Title, Recipe: e.Recipe, Event: e.Event,
			At: e.At, Note: e.Note, Text: e.Text, Picture: e.Picture,
		})
	}
	return rows
}

// replyTitle is a listing in a few words.
func replyTitle(l Listing) string { return Alert{Listing: l}.Headline() }
