package tray

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"notifio.app/notifio/monitor"
)

// How much of a text that others wrote is shown, in runes.
const (
	nameRunes    = 30
	textRunes    = 60
	troubleRunes = 90
	priceRunes   = 24
	placeRunes   = 44
)

// step is how coarsely a countdown moves below two minutes: a second is not worth
// a message to the panel for each of fifteen rows.
const step = 5 * time.Second

// countdown says how long left is, rounded up so that it never reads zero: in
// steps of five seconds below two minutes, in minutes above, in hours from two on.
func countdown(left time.Duration) string {
	left = max(left, step)
	if s := int((left + step - 1) / step * step / time.Second); s < 120 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	m := int((left + time.Minute - 1) / time.Minute)
	if m < 120 {
		return fmt.Sprintf("%d min", m)
	}
	if m%60 == 0 {
		return fmt.Sprintf("%d h", m/60)
	}
	return fmt.Sprintf("%d h %d min", m/60, m%60)
}

// ago says how long past is, coarsely.
func ago(past time.Duration) string {
	switch {
	case past < time.Minute:
		return "just now"
	case past < time.Hour:
		return fmt.Sprintf("%d min ago", int(past/time.Minute))
	case past < 24*time.Hour:
		return fmt.Sprintf("%d h ago", int(past/time.Hour))
	case past < 48*time.Hour:
		return "yesterday"
	}
	return fmt.Sprintf("%d days ago", int(past/(24*time.Hour)))
}

// clock is the time of day of t where now is, with the date when that is another
// day.
func clock(t, now time.Time) string {
	t = t.In(now.Location())
	ty, tm, td := t.Date()
	ny, nm, nd := now.Date()
	if ty == ny && tm == nm && td == nd {
		return t.Format("15:04")
	}
	return t.Format("Mon 2 Jan 15:04")
}

// count is n with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// headline says what Notifio as a whole is doing and when it looks next.
func headline(v monitor.View, now time.Time) string {
	switch v.Phase {
	case monitor.SigningIn:
		return "Signing in…"
	case monitor.Replying:
		return "Replying…"
	case monitor.Paused:
		if v.PausedUntil.IsZero() {
			return "Paused"
		}
		return "Paused until " + clock(v.PausedUntil, now)
	case monitor.Checking:
		if v.Total == 0 {
			return "Checking…"
		}
		return fmt.Sprintf("Checking %d of %d…", min(v.Done+1, v.Total), v.Total)
	case monitor.Offline:
		return "Offline · " + nextCheck(v, now)
	case monitor.Watching:
		switch n := watched(v.Rows); {
		case len(v.Rows) == 0:
			return "No search to watch yet"
		case allPaused(v.Rows):
			return "Every search is paused"
		case n == 0:
			return "Every search is disabled"
		default:
			return "Watching " + count(n, "search", "searches") + " · " + nextCheck(v, now)
		}
	}
	return "Starting…"
}

func nextCheck(v monitor.View, now time.Time) string {
	if left := v.NextCheck.Sub(now); left > 0 && !v.NextCheck.IsZero() {
		return "next check in " + countdown(left)
	}
	return "next check is due"
}

// watched counts the searches that are being checked.
func watched(rows []monitor.Row) int { return enabled(rows) - paused(rows) }

// allPaused says whether the user has paused each search by itself.
func allPaused(rows []monitor.Row) bool { return paused(rows) > 0 && watched(rows) == 0 }

func paused(rows []monitor.Row) int {
	n := 0
	for _, r := range rows {
		if r.State == monitor.RowPaused {
			n++
		}
	}
	return n
}

func enabled(rows []monitor.Row) int {
	n := 0
	for _, r := range rows {
		if r.State != monitor.RowDisabled {
			n++
		}
	}
	return n
}

// outcome says what the last check of a search came to, without a countdown, in at
// most max runes.
func outcome(r monitor.Row, max int) string {
	if t := clean(r.Text, max); t != "" {
		return t
	}
	switch r.State {
	case monitor.RowFine, monitor.RowChecking:
		if r.Checked.IsZero() {
			return "first check is running"
		}
		return count(r.Listings, "listing", "listings")
	case monitor.RowDoubt:
		return "page looked incomplete"
	case monitor.RowRefused:
		return "refused"
	case monitor.RowSignedOut:
		return "signed out: sign in again"
	case monitor.RowFailed:
		return "could not be read"
	case monitor.RowHeld:
		return "waiting for its site"
	case monitor.RowOffline:
		return "offline"
	case monitor.RowPaused:
		return "paused"
	case monitor.RowDisabled:
		return "disabled"
	}
	return "not checked yet"
}

// retry says when a search that has to wait is tried again, or nothing.
func retry(r monitor.Row, now time.Time) string {
	if r.RetryAt.After(now) {
		return "next try in " + countdown(r.RetryAt.Sub(now))
	}
	if waits(r.State) {
		return "tried at the next check"
	}
	return ""
}

// rowLabel is one search in one line. While everything is paused there is no
// next try to announce.
func rowLabel(r monitor.Row, phase monitor.Phase, now time.Time) string {
	label := clean(r.Name, nameRunes) + " — " + outcome(r, textRunes)
	if note := freshNote(r, now); note != "" {
		label += ", " + note
	}
	if phase == monitor.Paused || r.State == monitor.RowDisabled || r.State == monitor.RowPaused {
		return label
	}
	if when := retry(r, now); when != "" {
		label += ", " + when
	}
	return label
}

// noteFresh is how long a note stands in its row; afterwards it is found below it.
const noteFresh = 10 * time.Minute

// freshNote is what a guard has just done to a search whose page is fine again,
// as the continuation of a sentence.
func freshNote(r monitor.Row, now time.Time) string {
	note := clean(r.Note, textRunes)
	if r.State != monitor.RowFine || note == "" || now.Sub(r.NoteAt) >= noteFresh || strings.EqualFold(note, outcome(r, textRunes)) {
		return ""
	}
	first, size := utf8.DecodeRuneInString(note)
	return string(unicode.ToLower(first)) + note[size:]
}

// news is one alert in one line: what it costs, where it is, when it was found.
func news(a monitor.Alert, now time.Time) string {
	parts := []string{price(a), place(a.Listing)}
	switch {
	case a.Gone:
		parts = append(parts, "no longer listed")
	case a.Kind == monitor.Back:
		parts = append(parts, "back on the market")
	case a.Doubt != "":
		parts = append(parts, "perhaps not new")
	}
	parts = append(parts, ago(now.Sub(a.Found)))
	return joinNonEmpty(" · ", parts...)
}

// price is the price as the card shows it, and the one before of a drop.
func price(a monitor.Alert) string {
	now, was := money(a.Listing.Price), money(a.Was)
	if was == "" || now == "" {
		return now
	}
	return now + ", was " + was
}

func money(p monitor.Price) string {
	if t := clean(p.Text, priceRunes); t != "" {
		return t
	}
	if p.Amount <= 0 {
		return ""
	}
	return strings.TrimSpace(p.Currency + " " + strconv.FormatFloat(p.Amount, 'f', -1, 64))
}

// place is the address of a home, else its title, else its link.
func place(l monitor.Listing) string { return firstText(placeRunes, l.Address, l.Title, l.URL) }

// title is the title of a home, else its address, else its link.
func title(l monitor.Listing) string { return firstText(textRunes, l.Title, l.Address, l.URL) }

// firstText is the first text with something to read in it.
func firstText(max int, texts ...string) string {
	for _, s := range texts {
		if s = clean(s, max); s != "" {
			return s
		}
	}
	return "a listing without a title"
}

func joinNonEmpty(sep string, parts ...string) string {
	kept := parts[:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}

// waits says whether a search in this state is one that has to be tried again.
func waits(s monitor.RowState) bool {
	switch s {
	case monitor.RowRefused, monitor.RowHeld, monitor.RowFailed, monitor.RowSignedOut:
		return true
	}
	return false
}
