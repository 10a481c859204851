package monitor_test

import (
	"slices"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// Stories 1 to 9: what is news, and to whom.

const (
	urlP = "https://a.example/p"
	urlQ = "https://a.example/q"
	urlR = "https://b.example/r"
)

func TestStory01MailDownPageMovesOn(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.told()
		w.inbox.down()
		w.show(urlP, ids(1, 21)...)
		w.cycle()
		w.show(urlP, ids(1, 22)...)
		w.cycle()
		w.show(urlP, append(ids(1, 20), 22)...)
		w.cycle()
		w.told()
		w.inbox.up()
		w.pass(time.Hour)
		letters := w.inbox.take()
		if len(letters) != 1 || !slices.Equal(idsOf(letters[0].Alerts), []string{"21", "22"}) {
			t.Fatalf("letters %v", letters)
		}
		for _, a := range letters[0].Alerts {
			if gone := a.Listing.ID == "21"; a.Gone != gone {
				t.Errorf("%s: gone is %v, want %v", a.Listing.ID, a.Gone, gone)
			}
		}
		if got := len(w.desk.take()); got != 2 {
			t.Errorf("%d banners, want one for each listing", got)
		}
		w.pass(24 * time.Hour)
		w.told()
	})
}

func TestStory02SmallPageWithMailDown(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		w.start()
		w.cycles(2)
		w.inbox.down()
		for last := 2; last <= 5; last++ {
			w.show(urlP, ids(1, last)...)
			w.cycle()
		}
		w.inbox.up()
		w.pass(time.Hour)
		w.told("2 3 4 5")
	})
}

func TestStory03TwoSearchesOneWithAFilter(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP, maxPrice(1500))
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 20)...)
		w.show(urlQ, ids(1, 20)...)
		w.start()
		w.cycles(2)
		page := results(append(homes(ids(1, 20)...), homeAt(21, 1800))...)
		w.portal.set(urlP, page)
		w.portal.set(urlQ, page)
		w.cycle()
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 1 {
			t.Fatalf("%d letters", len(letters))
		}
		if got := letters[0].Alerts[0].Searches; !slices.Equal(got, []string{"Q"}) {
			t.Errorf("found by %q", got)
		}
		w.cycles(3)
		w.told()
	})
}

func TestStory04NewSearchThatOverlaps(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.search("Q", urlQ)
		w.show(urlQ, append(ids(1, 5), 21)...)
		w.show(urlP, ids(1, 21)...)
		w.portal.slow(urlP, 10*time.Second, true) // Q is through before P
		w.settings.Lanes = 1
		w.reload()
		for range 8 { // whichever comes first in the drawn order
			w.cycle()
		}
		w.told("21")
	})
}

func TestStory05BothFindIt(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 20)...)
		w.show(urlQ, ids(5, 25)...)
		w.start()
		w.cycles(2)
		w.show(urlP, append(ids(1, 20), 30)...)
		w.show(urlQ, append(ids(5, 25), 30)...)
		w.cycle()
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 1 {
			t.Fatalf("%d letters", len(letters))
		}
		names := slices.Sorted(slices.Values(letters[0].Alerts[0].Searches))
		if !slices.Equal(names, []string{"P", "Q"}) {
			t.Errorf("names %q", names)
		}
		w.show(urlP, append(ids(1, 20), 30, 31)...)
		w.cycle()
		w.told("31")
		w.pass(10 * time.Minute)
		w.show(urlQ, append(ids(5, 25), 30, 31)...)
		w.cycles(2)
		w.told()
	})
}

func TestStory06SomebodyElsesHomeIsLet(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		page := func(ns ...int) monitor.Page {
			p := of(160, results(homes(ns...)...))
			p.NewestFirst = true
			return p
		}
		w.portal.set(urlP, page(ids(1, 25)...))
		w.start()
		w.cycles(2)
		next := append([]int{200}, ids(1, 6)...)
		next = append(next, ids(9, 26)...)
		w.portal.set(urlP, page(next...))
		w.cycle()
		w.told("200")
		w.logged("known without an alert: Home 26")
		if adopted := w.row("P").Adopted; len(adopted) != 1 || adopted[0].ID != "26" {
			t.Errorf("adopted %v", adopted)
		}
	})
}

func TestStory07WithoutKnowingTheOrder(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.portal.set(urlP, of(160, results(homes(ids(1, 25)...)...)))
		w.start()
		w.cycles(2)
		next := append([]int{200}, ids(1, 6)...)
		w.portal.set(urlP, of(160, results(homes(append(next, ids(9, 26)...)...)...)))
		w.cycle()
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 2 {
			t.Fatalf("letters %v", letters)
		}
		for _, a := range letters[0].Alerts {
			want := ""
			if a.Listing.ID == "26" {
				want = "at the end of the page, perhaps not new"
			}
			if a.Doubt != want {
				t.Errorf("%s is marked %q, want %q", a.Listing.ID, a.Doubt, want)
			}
		}
	})
}

func TestStory08FourteenDaysOnPageTwo(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.hourly()
		w.search("P", urlP)
		w.search("Q", urlR)
		first := of(160, results(homes(ids(1, 25)...)...))
		w.portal.set(urlP, first)
		w.portal.set(urlR, of(8, results(homes(ids(101, 108)...)...)))
		w.start()
		w.cycles(2)
		w.portal.set(urlP, of(160, results(homes(append(ids(1, 11), ids(13, 25)...)...)...)))
		w.portal.set(urlR, of(7, results(homes(ids(101, 107)...)...)))
		w.pass(15*24*time.Hour + time.Hour)
		w.portal.set(urlR, of(8, results(homes(ids(101, 108)...)...)))
		w.pass(5 * 24 * time.Hour)
		w.portal.set(urlP, first)
		w.cycles(2)
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 1 {
			t.Fatalf("letters %v", letters)
		}
		if a := letters[0].Alerts[0]; a.Kind != monitor.Back || a.Listing.ID != "108" {
			t.Errorf("told %s %s", a.Kind, a.Listing.ID)
		}
	})
}

// hourly makes a story of weeks affordable: one check an hour, no others.
func (w *world) hourly() {
	w.settings.Interval, w.settings.Jitter = time.Hour, time.Minute
	w.timing.Gap, w.timing.Provisional = 3*time.Hour, 2*time.Hour
	w.timing.Pulse = 10 * time.Minute
	w.timing.Asleep = 20 * time.Minute
}

func TestStory09DisabledForAHoliday(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.hourly()
		w.search("P", urlP)
		w.search("Q", urlR)
		w.show(urlP, ids(1, 20)...)
		w.show(urlR, ids(101, 120)...)
		w.start()
		w.cycles(2)
		w.edit("P", func(s *monitor.Search) { s.Enabled = false })
		w.pass(20 * 24 * time.Hour)
		w.show(urlP, ids(11, 25)...)
		w.edit("P", func(s *monitor.Search) { s.Enabled = true })
		w.cycle()
		if note := w.row("P").Note; note != "Baseline saved" {
			t.Errorf("note %q", note)
		}
		w.told()
		w.show(urlP, ids(11, 26)...)
		w.cycle()
		w.told("26")
	})
}
