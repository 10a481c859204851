package tray

import (
	"fmt"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// rows are the searches, one item each with a submenu. The pool has room for every
// enabled search; what does not fit are disabled ones.
func rows(v monitor.View, now time.Time, o Offer) []Item {
	shown := fitting(v.Rows)
	items := make([]Item, monitor.MaxSearches+1)
	for i := range monitor.MaxSearches {
		var r monitor.Row
		if i < len(shown) {
			r = shown[i]
		}
		items[i] = row(r, v.Phase, now, o)
		items[i].Visible = i < len(shown)
	}
	items[monitor.MaxSearches] = more(len(v.Rows)-len(shown), "and %s", "disabled search", "disabled searches")
	if len(v.Rows) == 0 && v.Phase != "" {
		items[monitor.MaxSearches] = line("Add your first one with Edit searches…")
	}
	return items
}

// fitting are the searches that have room, in the order of the file; when there
// are too many, disabled ones give way.
func fitting(all []monitor.Row) []monitor.Row {
	spare := len(all) - monitor.MaxSearches
	if spare <= 0 {
		return all
	}
	kept := make([]monitor.Row, 0, monitor.MaxSearches)
	left := monitor.MaxSearches - enabled(all)
	for _, r := range all {
		if r.State == monitor.RowDisabled {
			if left--; left < 0 {
				continue
			}
		}
		if len(kept) < monitor.MaxSearches {
			kept = append(kept, r)
		}
	}
	return kept
}

// row is one search. Its submenu says what happened last and what a guard made
// known without an alert.
func row(r monitor.Row, phase monitor.Phase, now time.Time, o Offer) Item {
	kids := []Item{line(lastCheck(r, now)), line(noted(r, now)), line(meaning(r)), line(nextTry(r, phase, now))}
	kids = append(kids, adopted(r, now)...)
	open := button("Open page", Open)
	open.Do.Arg, open.Enabled = r.URL, r.URL != ""
	signIn := button("Sign in…", SignIn)
	signIn.Do.Arg, signIn.Visible = r.Host, o.SignIn && !strings.HasPrefix(r.URL, "demo:")
	return Item{
		Label: rowLabel(r, phase, now), Visible: true, Enabled: true, Group: r.Host,
		State:    joinNonEmpty("|", r.URL, r.Name, outcome(r, textRunes), r.Note, fmt.Sprint(phase == monitor.Paused)),
		Children: append(kids, open, signIn, pauseSearch(r)),
	}
}

// pauseSearch stops or resumes one search, and leaves the others alone.
func pauseSearch(r monitor.Row) Item {
	it := button("Pause this search", PauseSearch)
	if r.State == monitor.RowPaused {
		it = button("Resume this search", ResumeSearch)
	}
	it.Do.Arg, it.Visible = r.URL, r.State != monitor.RowDisabled
	return it
}

// lastCheck says when a search was last checked and what came of it, where its
// text still speaks of that check.
func lastCheck(r monitor.Row, now time.Time) string {
	switch {
	case r.State == monitor.RowDisabled:
		return "Disabled: Edit searches… and write enabled = true"
	case r.Checked.IsZero():
		return "Not checked yet"
	case r.State == monitor.RowHeld, r.State == monitor.RowOffline, r.State == monitor.RowPaused:
		return "Last checked at " + clock(r.Checked, now)
	}
	at := "Checked at " + clock(r.Checked, now)
	if r.Took > 0 {
		at += fmt.Sprintf(", took %.1f s", r.Took.Seconds())
	}
	return at + ": " + outcome(r, troubleRunes)
}

// noted is the last thing worth telling about a search, and when it happened.
func noted(r monitor.Row, now time.Time) string {
	note := clean(r.Note, troubleRunes)
	if note == "" || strings.EqualFold(note, outcome(r, troubleRunes)) {
		return ""
	}
	return "At " + clock(r.NoteAt, now) + ": " + note
}

// meaning explains the note, while it is about what the row or the line above says.
func meaning(r monitor.Row) string {
	if r.State == monitor.RowDisabled || r.State == monitor.RowPaused {
		return ""
	}
	return monitor.Meaning(r.Note)
}

func nextTry(r monitor.Row, phase monitor.Phase, now time.Time) string {
	if phase == monitor.Paused || r.State == monitor.RowPaused || !r.RetryAt.After(now) {
		return ""
	}
	return "Next try at " + clock(r.RetryAt, now)
}

// adopted names what became known without an alert, so that nothing is swallowed.
func adopted(r monitor.Row, now time.Time) []Item {
	items := make([]Item, 0, maxAdopted+2)
	n := len(r.Adopted)
	if n == 0 {
		items = append(items, line(""))
	} else {
		items = append(items, line(fmt.Sprintf("Noted at %s without telling you:", clock(r.AdoptedAt, now))))
	}
	for i := range maxAdopted {
		var it Item
		if i < n {
			l := r.Adopted[i]
			it = Item{Label: title(l), State: l.Key, Visible: true, Enabled: l.URL != "", Do: Action{Open, l.URL}}
		}
		items = append(items, it)
	}
	rest := more(n-maxAdopted, "and %s in the activity log", "other", "others")
	rest.Enabled, rest.Do = true, Action{Verb: OpenLog}
	return append(items, rest)
}

// more counts what has no room, and is hidden when everything has.
func more(n int, format, one, many string) Item {
	if n <= 0 {
		return Item{}
	}
	return line(strings.Replace(format, "%s", count(n, one, many), 1))
}
