package monitor_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// Searches that are refused while the others of their host are served.

// alone is five searches of a host, on rungs without jitter.
func (w *world) alone() []string {
	w.t.Helper()
	w.settings.Jitter, w.timing.LadderJitter = 0, 0
	urls := w.five()
	w.start()
	w.cycles(2)
	w.portal.asked()
	return urls
}

// rungs are the waits between the requests for a page, in minutes and without the part
// of an interval that each waits for its cycle.
func (p *portal) rungs(url string) []int {
	at := p.at(url)
	var minutes []int
	for i := 1; i < len(at); i++ {
		minutes = append(minutes, int((at[i].Sub(at[i-1]) - 5*time.Second).Minutes()))
	}
	return minutes
}

// noticed are the titles of the notices in the emails since the last call.
func (w *world) noticed() (titles []string) {
	for _, l := range w.inbox.take() {
		for _, n := range l.Notices {
			titles = append(titles, n.Title)
		}
	}
	return titles
}

func TestStory38RefusedAlone(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := w.alone()
		for i, name := range []string{"B", "D"} {
			bad := urls[2*i+1]
			w.portal.set(bad, refused(0))
			w.portal.asked()
			w.cycle() // the first time is the host's
			if n := len(w.portal.at(bad)); n != 1 {
				t.Fatalf("%s was asked %d times", name, n)
			}
			w.portal.asked()
			w.pass(100 * time.Second)
			if n := len(w.portal.at(bad)); n != 1 {
				t.Fatalf("%s was asked %d times after the host's minute, want once", name, n)
			}
			if left := w.row(name).RetryAt.Sub(w.wall()); left > time.Minute || left < 20*time.Second {
				t.Errorf("%s waits for %v, want the first rung", name, left)
			}
			if row := w.row(name); row.State != monitor.RowRefused || row.Text != "refused (429), while others of a.example are served" {
				t.Errorf("row %+v", row)
			}
			w.pass(7 * time.Minute)
			if got := w.desk.take(); len(got) != 0 {
				t.Errorf("banners %q before ten minutes", got)
			}
			w.pass(5 * time.Minute)
			if got := w.desk.take(); !begins(got, "a.example has refused "+name+" since ") {
				t.Errorf("banners %q", got)
			}
			w.pass(2 * time.Hour)
			if got := w.portal.rungs(bad); len(got) > 8 || !slices.Equal(got[:7], []int{1, 2, 5, 10, 20, 30, 30}) {
				t.Errorf("%s was asked at rungs %v", name, got)
			}
			if n := len(w.portal.at(urls[0])); n < 250 {
				t.Errorf("A was checked %d times in two hours", n)
			}
			if got := w.desk.take(); len(got) != 0 {
				t.Errorf("more banners %q", got)
			}
			if got := w.noticed(); !begins(got, "a.example has refused "+name+" since ") {
				t.Errorf("emails %q", got)
			}
		}
		w.show(urls[1], ids(1, 11)...)
		w.pass(31 * time.Minute)
		if got := w.desk.take(); len(got) != 2 || !slices.Contains(got, "a.example serves B again") {
			t.Errorf("banners %q, want the new home and the end", got)
		}
		if got := w.noticed(); !slices.Equal(got, []string{"a.example serves B again"}) {
			t.Errorf("emails %q after the end", got)
		}
	})
}

// A third one of five, and it is the host's: all others wait at its rungs.
func TestMoreThanHalfRefusedIsTheHosts(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := w.alone()
		for i := range 3 {
			w.portal.set(urls[i], refused(0))
			w.desk.take()
			w.pass(30 * time.Minute)
		}
		w.portal.asked()
		w.pass(3 * time.Hour)
		if row := w.row("D"); row.State != monitor.RowHeld || row.RetryAt.IsZero() {
			t.Errorf("row %+v", row)
		}
		if n := len(w.portal.at(urls[2])); n < 5 || n > 8 {
			t.Errorf("the third was asked %d times in three hours, want once at each rung", n)
		}
		if n := len(w.portal.at("")); n > 80 {
			t.Errorf("%d requests in three hours", n)
		}
		if got := w.desk.take(); !begins(got, "a.example has refused Notifio since ") {
			t.Errorf("banners %q", got)
		}
		w.all(urls, results(homes(ids(1, 10)...)...))
		w.pass(70 * time.Minute)
		for _, row := range w.view().Rows {
			if row.State != monitor.RowFine || !row.RetryAt.IsZero() {
				t.Errorf("row %+v", row)
			}
		}
	})
}

// What the host asks for, and a robot check, concern all of its searches.
func TestRobotCheckAndRetryAfterAreTheHosts(t *testing.T) {
	robot := refused(0)
	robot.Robot = true
	for name, page := range map[string]monitor.Page{"robot check": robot, "Retry-After": refused(time.Minute)} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				urls := w.alone()
				w.portal.set(urls[2], page)
				w.pass(3 * time.Hour)
				if row := w.row("A"); row.State != monitor.RowHeld {
					t.Errorf("row of a sibling %+v", row)
				}
				if n := len(w.portal.at(urls[2])); n < 8 || n > 12 {
					t.Errorf("asked %d times in three hours, want once at each rung", n)
				}
			})
		})
	}
}

// While the host waits, a search that was refused alone waits too, and it is not the one
// that probes.
func TestRefusedAloneIsNoProbe(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := w.alone()
		w.portal.set(urls[1], refused(0))
		w.pass(10 * time.Minute)
		w.portal.asked()
		w.all(urls, refused(0))
		w.pass(12 * time.Hour)
		if n := len(w.portal.at(urls[1])); n > 1 {
			t.Errorf("asked %d times while its host refused everybody", n)
		}
		w.all(urls, results(homes(ids(1, 10)...)...))
		w.pass(time.Hour + 5*time.Minute)
		for _, row := range w.view().Rows {
			if row.State != monitor.RowFine || !row.RetryAt.IsZero() {
				t.Errorf("row %+v", row)
			}
		}
	})
}

// The sibling is gone, and who was refused alone is all that the host has.
func TestRefusedAloneIsTheProbeWhereThereIsNoOther(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Jitter, w.timing.LadderJitter = 0, 0
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.portal.set(urlP, refused(0))
		w.show(urlQ, ids(1, 10)...)
		w.start()
		w.pass(30 * time.Minute)
		if n := len(w.portal.at(urlQ)); n < 50 {
			t.Errorf("the other half was checked %d times in half an hour", n)
		}
		w.portal.set(urlQ, refused(0)) // and has the host left alone
		w.pass(time.Minute)
		w.settings.Searches = w.settings.Searches[:1]
		w.reload()
		w.portal.asked()
		w.pass(12 * time.Hour)
		if n := len(w.portal.at(urlP)); n < 20 || n > 30 {
			t.Errorf("asked %d times in twelve hours, want every half hour", n)
		}
		w.show(urlP, ids(1, 10)...)
		w.pass(31 * time.Minute)
		if row := w.row("P"); row.Verdict != monitor.Results || !row.RetryAt.IsZero() {
			t.Errorf("row %+v", row)
		}
	})
}

// The site asks for a time to itself in the middle of it: that is the host's, and no end.
func TestRefusedAloneIsNotOverForItsHost(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := w.alone()
		w.portal.set(urls[1], refused(0))
		w.pass(time.Hour)
		w.desk.take()
		w.portal.set(urls[1], refused(time.Minute))
		w.pass(31 * time.Minute)
		if row := w.row("A"); row.State != monitor.RowHeld {
			t.Errorf("row of a sibling %+v", row)
		}
		w.pass(5 * time.Minute)
		if got := w.desk.take(); len(got) != 0 && !begins(got, "a.example has refused Notifio since ") {
			t.Errorf("banners %q", got)
		}
	})
}

// A page that does not come, or another one, is no end of it.
func TestRefusedAloneAndThenSilent(t *testing.T) {
	for _, page := range []monitor.Page{timeout(), strayed()} {
		t.Run(string(page.Verdict), func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				urls := w.alone()
				w.portal.set(urls[1], refused(0))
				w.pass(25 * time.Minute)
				w.portal.asked()
				w.portal.set(urls[1], page)
				w.pass(2 * time.Hour)
				if got := w.portal.rungs(urls[1]); len(got) < 3 || slices.Min(got) < 10 {
					t.Errorf("asked at rungs %v, want the same one again", got)
				}
				for _, title := range w.desk.take() {
					if strings.Contains(title, "again") {
						t.Errorf("banner %q", title)
					}
				}
			})
		})
	}
}

// It is as with the ladder of a host.
func TestRefusedAloneSurvivesARestart(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := w.alone()
		w.portal.set(urls[1], refused(0))
		w.pass(25 * time.Minute) // twenty of them at its fifth rung
		retry := w.row("B").RetryAt
		w.restart()
		if row := w.row("B"); !row.RetryAt.Equal(retry) || row.State != monitor.RowRefused {
			t.Errorf("row %+v, want it to wait until %v", row, retry)
		}
		w.portal.asked()
		w.pass(2 * time.Hour)
		if at := w.portal.at(urls[1]); len(at) == 0 || at[0].Before(retry) {
			t.Errorf("asked at %v, before %v", at, retry)
		}
		if got := w.portal.rungs(urls[1]); !slices.Equal(got, []int{30, 30, 30}) {
			t.Errorf("asked at rungs %v", got)
		}
		w.show(urls[1], ids(1, 10)...)
		w.pass(35 * time.Minute)
		w.restart()
		if row := w.row("B"); !row.RetryAt.IsZero() {
			t.Errorf("row %+v after it was served", row)
		}
	})
}

// A window was open there, and nothing has changed: it goes on at its rungs.
func TestWindowAsksOnceForWhoIsRefusedAlone(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := w.alone()
		w.portal.set(urls[1], refused(0))
		w.pass(30 * time.Minute)
		w.portal.asked()
		w.mon.SessionRenewed("a.example")
		w.pass(15 * time.Minute)
		if n := len(w.portal.at(urls[1])); n != 1 {
			t.Errorf("asked %d times in the quarter of an hour after the window, want once", n)
		}
		if n := len(w.portal.at(urls[0])); n < 28 {
			t.Errorf("A was checked %d times", n)
		}
	})
}
