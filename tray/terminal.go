package tray

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// TerminalOptions are what a Terminal says at its start.
type TerminalOptions struct {
	Reason     string // why there is no tray; may be empty
	MailFolder string // where alerts are written as emails; empty when they are sent
}

// Terminal tells in plain lines what a tray would show. It says what has changed
// and is silent otherwise.
type Terminal struct {
	w     io.Writer
	o     TerminalOptions
	views chan monitor.View
}

// NewTerminal returns a terminal that writes to w while Run is running.
func NewTerminal(w io.Writer, o TerminalOptions) *Terminal {
	return &Terminal{w: w, o: o, views: make(chan monitor.View, 1)}
}

// Show hands over a view. It never blocks, also when nobody reads the terminal.
func (t *Terminal) Show(v monitor.View) { offer(t.views, v) }

// Run writes until ctx ends, or until w fails, which it returns.
func (t *Terminal) Run(ctx context.Context) error {
	s := said{since: time.Now()}
	lines := t.greeting()
	for {
		for _, l := range lines {
			if _, err := io.WriteString(t.w, l+"\n"); err != nil {
				return fmt.Errorf("write to the terminal: %w", err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case v := <-t.views:
			lines = s.lines(v, time.Now())
		}
	}
}

func (t *Terminal) greeting() []string {
	lines := []string{"Notifio is running in this terminal. Stop it with Ctrl-C."}
	if t.o.Reason != "" {
		lines = append(lines, "There is no tray icon: "+clean(t.o.Reason, 4*textRunes)+".")
	}
	if t.o.MailFolder != "" {
		lines = append(lines, "Emails are written to the mail folder "+t.o.MailFolder)
	}
	return lines
}

// said is what the terminal has told so far.
type said struct {
	since    time.Time // news found before is old
	phase    monitor.Phase
	rows     map[string]string    // words by URL
	adopted  map[string]time.Time // Row.AdoptedAt by URL
	alerts   map[string]bool      // IDs that were in the last view
	unseen   int
	troubles map[string]string // text by source
}

// lines is what is worth telling about v after everything before it.
func (s *said) lines(v monitor.View, now time.Time) []string {
	var out []string
	out = append(out, s.phaseLine(v, now)...)
	out = append(out, s.troubleLines(v)...)
	out = append(out, s.rowLines(v, now)...)
	out = append(out, s.adoptedLines(v)...)
	at := now.Format("15:04:05  ")
	for i := range out {
		out[i] = at + out[i]
	}
	return append(out, s.newsLines(v, at)...)
}

// phaseLine tells of a pause, of being offline and of their ends. Checking and
// watching are one and the same here.
func (s *said) phaseLine(v monitor.View, now time.Time) []string {
	phase := v.Phase
	if phase == monitor.Checking || phase == monitor.Replying {
		phase = monitor.Watching
	}
	if phase == s.phase || phase == "" {
		return nil
	}
	first := s.phase == ""
	s.phase = phase
	switch {
	case phase == monitor.Paused:
		return []string{headline(v, now)}
	case phase == monitor.SigningIn:
		return []string{"Signing in: no search is checked until the window is closed"}
	case phase == monitor.Offline:
		return []string{"Offline: no site can be reached from here"}
	case first:
		return []string{"Watching " + count(watched(v.Rows), "search", "searches")}
	}
	return []string{"Watching again"}
}

func (s *said) troubleLines(v monitor.View) []string {
	var out []string
	now := map[string]string{}
	for _, t := range v.Troubles {
		now[t.Source] = clean(t.Text, 4*textRunes)
		if s.troubles[t.Source] != now[t.Source] {
			out = append(out, now[t.Source])
		}
	}
	for _, source := range slices.Sorted(maps.Keys(s.troubles)) {
		if _, still := now[source]; !still {
			out = append(out, monitor.Ended(source))
		}
	}
	s.troubles = now
	return out
}

// rowLines tells each search whose state is another one. Another number of
// listings is not another state, and a search that is being checked keeps the one
// it had.
func (s *said) rowLines(v monitor.View, now time.Time) []string {
	if s.rows == nil {
		s.rows = map[string]string{}
	}
	var out []string
	for _, r := range v.Rows {
		if r.State == monitor.RowChecking || r.State == monitor.RowNew {
			continue
		}
		words := outcome(r, troubleRunes)
		state := words + r.RetryAt.String()
		if r.RetryAt.After(now) {
			words += ", next try at " + clock(r.RetryAt, now)
		}
		if r.State == monitor.RowFine {
			state = string(r.State)
		}
		if s.rows[r.URL] != state {
			s.rows[r.URL] = state
			out = append(out, clean(r.Name, nameRunes)+": "+words)
		}
	}
	return out
}

// adoptedLines names what a guard has made known without an alert: a page that was
// re-based looks like any other afterwards.
func (s *said) adoptedLines(v monitor.View) []string {
	if s.adopted == nil {
		s.adopted = map[string]time.Time{}
	}
	var out []string
	for _, r := range v.Rows {
		if len(r.Adopted) == 0 || r.AdoptedAt.Before(s.since) || r.AdoptedAt.Equal(s.adopted[r.URL]) {
			continue
		}
		s.adopted[r.URL] = r.AdoptedAt
		out = append(out, joinNonEmpty(": ", clean(r.Name, nameRunes), clean(r.Note, textRunes),
			count(len(r.Adopted), "home is", "homes are")+" known now without an alert"))
		for _, l := range r.Adopted[:min(len(r.Adopted), maxRecent)] {
			out = append(out, "  "+joinNonEmpty(" · ", clean(l.Title, 2*textRunes), strings.Join(strings.Fields(clean(l.URL, 2000)), "%20")))
		}
		if more := len(r.Adopted) - maxRecent; more > 0 {
			out = append(out, fmt.Sprintf("  and %d more, in the activity log", more))
		}
	}
	return out
}

// newsLines tells each new listing in full.
func (s *said) newsLines(v monitor.View, at string) []string {
	var out []string
	told, now := 0, map[string]bool{}
	for i := len(v.Recent) - 1; i >= 0; i-- { // oldest first
		a := v.Recent[i]
		now[a.ID] = true
		if s.alerts[a.ID] || a.Found.Before(s.since) {
			continue
		}
		told++
		out = append(out, fullNews(a, at)...)
	}
	if rest := v.Unseen - s.unseen - told; told == maxRecent && rest > 0 {
		out = append(out, at+"And "+count(rest, "other new listing", "other new listings")+", named in the email")
	}
	s.alerts, s.unseen = now, v.Unseen
	return out
}

// AlertText is one listing as it stands in a terminal: some lines, the last its link.
func AlertText(a monitor.Alert) string { return strings.Join(fullNews(a, ""), "\n") }

// fullNews is one listing: what it is and costs, where, and its link.
func fullNews(a monitor.Alert, at string) []string {
	kind := map[monitor.Kind]string{monitor.PriceDrop: "Cheaper: ", monitor.Back: "Back on the market: "}[a.Kind]
	if kind == "" {
		kind = "New: "
	}
	l := a.Listing
	head := joinNonEmpty(" · ", price(a), clean(l.Title, 2*textRunes), clean(l.Address, 2*textRunes))
	indent := strings.Repeat(" ", len(at))
	out := []string{at + kind + head}
	if a.Doubt != "" {
		out = append(out, indent+"("+clean(a.Doubt, textRunes)+")")
	}
	return append(out, indent+strings.Join(strings.Fields(clean(l.URL, 2000)), "%20"))
}
