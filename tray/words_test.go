package tray

import (
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

func TestCountdownMovesInStepsAndNeverReadsZero(t *testing.T) {
	const s, m, h = time.Second, time.Minute, time.Hour
	for _, c := range []struct {
		left time.Duration
		want string
	}{
		{-h, "0:05"}, {0, "0:05"}, {1, "0:05"}, {5 * s, "0:05"}, {5*s + 1, "0:10"},
		{18 * s, "0:20"}, {59 * s, "1:00"}, {61 * s, "1:05"}, {115 * s, "1:55"},
		{115*s + 1, "2 min"}, {2 * m, "2 min"}, {2*m + 1, "3 min"}, {3*m + 40*s, "4 min"},
		{119 * m, "119 min"}, {2 * h, "2 h"}, {2*h + 1, "2 h 1 min"}, {5*h + 40*m, "5 h 40 min"}, {6 * h, "6 h"},
	} {
		if got := countdown(c.left); got != c.want {
			t.Errorf("countdown(%v) = %q, want %q", c.left, got, c.want)
		}
	}
}

func TestAgoIsCoarse(t *testing.T) {
	for past, want := range map[time.Duration]string{
		-time.Minute: "just now", 59 * time.Second: "just now", time.Minute: "1 min ago",
		59*time.Minute + 59*time.Second: "59 min ago", time.Hour: "1 h ago", 23 * time.Hour: "23 h ago",
		24 * time.Hour: "yesterday", 48 * time.Hour: "2 days ago", 240 * time.Hour: "10 days ago",
	} {
		if got := ago(past); got != want {
			t.Errorf("ago(%v) = %q, want %q", past, got, want)
		}
	}
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.FixedZone("CET", 3600))

func TestRowSaysWhenItIsTriedAgain(t *testing.T) {
	in4, past := noon.Add(3*time.Minute+30*time.Second), noon.Add(-time.Second)
	for _, c := range []struct {
		row   monitor.Row
		phase monitor.Phase
		want  string
	}{
		{monitor.Row{State: monitor.RowRefused, Text: "refused (429)", RetryAt: in4}, monitor.Watching, "West — refused (429), next try in 4 min"},
		{monitor.Row{State: monitor.RowRefused, Text: "refused (429)", RetryAt: past}, monitor.Watching, "West — refused (429), tried at the next check"},
		{monitor.Row{State: monitor.RowHeld, RetryAt: in4}, monitor.Checking, "West — waiting for its site, next try in 4 min"},
		{monitor.Row{State: monitor.RowSignedOut, RetryAt: in4}, monitor.Watching, "West — signed out: sign in again, next try in 4 min"},
		{monitor.Row{State: monitor.RowFailed, Text: "timed out"}, monitor.Watching, "West — timed out, tried at the next check"},
		{monitor.Row{State: monitor.RowRefused, Text: "refused (429)", RetryAt: in4}, monitor.Paused, "West — refused (429)"},
		{monitor.Row{State: monitor.RowFine, Listings: 1, Checked: noon}, monitor.Watching, "West — 1 listing"},
		{monitor.Row{State: monitor.RowFine, Text: "8 listings", Note: "Re-based after a smaller page", NoteAt: noon.Add(-time.Minute)},
			monitor.Watching, "West — 8 listings, re-based after a smaller page"},
		{monitor.Row{State: monitor.RowFine, Text: "8 listings", Note: "Re-based after a smaller page", NoteAt: noon.Add(-noteFresh)},
			monitor.Watching, "West — 8 listings"},
		{monitor.Row{State: monitor.RowDoubt, Text: "page looked half-loaded (2 of 3)"}, monitor.Watching, "West — page looked half-loaded (2 of 3)"},
		{monitor.Row{State: monitor.RowChecking}, monitor.Checking, "West — first check is running"},
		{monitor.Row{State: monitor.RowNew}, monitor.Watching, "West — not checked yet"},
		{monitor.Row{State: monitor.RowOffline}, monitor.Offline, "West — offline"},
		{monitor.Row{State: monitor.RowPaused, RetryAt: in4}, monitor.Watching, "West — paused"},
		{monitor.Row{State: monitor.RowDisabled, RetryAt: in4}, monitor.Watching, "West — disabled"},
	} {
		c.row.Name = "West"
		if got := rowLabel(c.row, c.phase, noon); got != c.want {
			t.Errorf("%s: %q, want %q", c.row.State, got, c.want)
		}
	}
}

func TestHeadline(t *testing.T) {
	rows := make([]monitor.Row, 5)
	for _, c := range []struct {
		v    monitor.View
		want string
	}{
		{monitor.View{}, "Starting…"},
		{monitor.View{Phase: monitor.Watching, Rows: rows, NextCheck: noon.Add(18 * time.Second)}, "Watching 5 searches · next check in 0:20"},
		{monitor.View{Phase: monitor.Watching, Rows: rows[:1], NextCheck: noon.Add(-time.Second)}, "Watching 1 search · next check is due"},
		{monitor.View{Phase: monitor.Watching}, "No search to watch yet"},
		{monitor.View{Phase: monitor.Watching, Rows: []monitor.Row{{State: monitor.RowPaused}, {State: monitor.RowDisabled}}}, "Every search is paused"},
		{monitor.View{Phase: monitor.Watching, Rows: []monitor.Row{{State: monitor.RowDisabled}}}, "Every search is disabled"},
		{monitor.View{Phase: monitor.Checking, Done: 2, Total: 5}, "Checking 3 of 5…"},
		{monitor.View{Phase: monitor.Checking, Done: 5, Total: 5}, "Checking 5 of 5…"},
		{monitor.View{Phase: monitor.Checking}, "Checking…"},
		{monitor.View{Phase: monitor.Paused}, "Paused"},
		{monitor.View{Phase: monitor.Paused, PausedUntil: noon.Add(time.Hour)}, "Paused until 13:00"},
		{monitor.View{Phase: monitor.Paused, PausedUntil: tomorrow(noon)}, "Paused until Tue 1 Dec 07:00"},
		{monitor.View{Phase: monitor.Offline, NextCheck: noon.Add(30 * time.Second)}, "Offline · next check in 0:30"},
	} {
		if got := headline(c.v, noon); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestNewsLine(t *testing.T) {
	listing := monitor.Listing{URL: "https://x.example/1", Title: "Loft", Price: monitor.Price{Amount: 1395.5, Currency: "EUR"}}
	for _, c := range []struct {
		a    monitor.Alert
		want string
	}{
		{monitor.Alert{Listing: listing}, "EUR 1395.5 · Loft · 3 min ago"},
		{monitor.Alert{Listing: listing, Was: monitor.Price{Text: "€ 1.500"}}, "EUR 1395.5, was € 1.500 · Loft · 3 min ago"},
		{monitor.Alert{Listing: listing, Doubt: "at the end of the page, perhaps not new"}, "EUR 1395.5 · Loft · perhaps not new · 3 min ago"},
		{monitor.Alert{Listing: listing, Gone: true}, "EUR 1395.5 · Loft · no longer listed · 3 min ago"},
		{monitor.Alert{Listing: monitor.Listing{URL: "https://x.example/1"}}, "https://x.example/1 · 3 min ago"},
	} {
		c.a.Found = noon.Add(-3 * time.Minute)
		if got := news(c.a, noon); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A night at the change of the clocks still ends at seven.
func TestPauseUntilTomorrowEndsAtSeven(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Skip("no time zone data here:", err)
	}
	for _, now := range []time.Time{
		time.Date(2026, 3, 28, 23, 0, 0, 0, zone), time.Date(2026, 10, 24, 1, 30, 0, 0, zone), time.Date(2026, 12, 31, 12, 0, 0, 0, zone),
	} {
		got := tomorrow(now)
		if got.Hour() != 7 || got.Day() == now.Day() || got.Sub(now) > 31*time.Hour {
			t.Errorf("from %v: %v", now, got)
		}
	}
}
