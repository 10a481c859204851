package monitor_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// Pages as they have led other programs astray.

// A robot check comes with status 200, in the place of the list: it is no empty list
// and no news, and what appeared meanwhile is told once.
func TestRobotCheckIsNoEmptyPage(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, monitor.Page{Verdict: monitor.Refused, Reason: `asks "Please verify you are human"`, Status: 200})
		w.cycle()
		if row := w.row("P"); row.State != monitor.RowRefused || row.Listings != 20 || row.RetryAt.IsZero() {
			t.Errorf("row %+v", row)
		}
		w.show(urlP, ids(1, 20)...)
		w.untilAsked()
		w.told()
		w.show(urlP, ids(1, 21)...)
		w.cycle()
		w.told("21")
		if got := w.desk.take(); len(got) != 1 {
			t.Errorf("banners %q", got)
		}
	})
}

// One of two searches is not the page any more that was saved: it is told of by
// banner and by email, once each, while the other one goes on.
func TestOneBrokenSearchIsToldBesideOneThatWorks(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("R", urlR)
		w.show(urlP, ids(1, 20)...)
		w.show(urlR, ids(101, 120)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, strayed())
		w.cycles(10)
		if p, r := w.row("P"), w.row("R"); p.State != monitor.RowFailed || p.Reason == "" || p.Listings != 20 || r.State != monitor.RowFine {
			t.Errorf("rows %+v and %+v", p, r)
		}
		w.pass(time.Hour)
		if got := w.desk.take(); !begins(got, "P cannot be read since ") {
			t.Errorf("banners %q", got)
		}
		if got := w.inbox.take(); len(got) != 1 || len(got[0].Notices) != 1 {
			t.Errorf("letters %+v", got)
		}
		w.show(urlR, ids(101, 121)...)
		w.cycle()
		w.told("121")
	})
}

// Two homes share an address, and one of them is let and comes back under another
// number: an address is no identity.
func TestAddressIsNoIdentity(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		at := func(n int) monitor.Listing {
			l := home(n)
			l.Address, l.Title = "Park Lane 133", "A flat"
			return l
		}
		w.hourly()
		w.search("P", urlP)
		w.portal.set(urlP, results(append(homes(ids(1, 20)...), at(40))...))
		w.start()
		w.cycles(2)
		w.portal.set(urlP, results(append(homes(ids(1, 20)...), at(40), at(41), at(42))...))
		w.cycle()
		w.told("41 42")
		w.show(urlP, ids(1, 20)...)
		w.pass(3 * 24 * time.Hour)
		w.portal.set(urlP, results(append(homes(ids(1, 20)...), at(99))...))
		w.cycle()
		w.told("99")
	})
}

// The portal numbers its homes anew, or our own reading does: the same twenty homes
// under twenty other keys and addresses.
func TestNewNumbersOfOldHomesAreNoNews(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		renumbered := homes(ids(1, 20)...)
		for i := range renumbered {
			other := home(5000 + i)
			renumbered[i].Key, renumbered[i].ID, renumbered[i].URL, renumbered[i].Canonical = other.Key, other.ID, other.URL, other.Canonical
		}
		w.portal.set(urlP, results(renumbered...))
		w.cycles(3)
		w.told()
		if got := w.row("P").Adopted; len(got) != 20 {
			t.Errorf("%d adopted", len(got))
		}
		w.portal.set(urlP, results(append(renumbered, home(21))...))
		w.cycle()
		w.told("21")
	})
}

// Every other page ends after its seventh card: nothing left, and nothing came.
func TestFlappingPageIsNoNews(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		for range 10 {
			w.show(urlP, ids(1, 7)...)
			w.cycle()
			w.show(urlP, ids(1, 20)...)
			w.cycle()
		}
		w.told()
		if row := w.row("P"); row.Listings != 20 || row.State != monitor.RowFine {
			t.Errorf("row %+v", row)
		}
		w.show(urlP, ids(1, 21)...)
		w.cycle()
		w.told("21")
	})
}

// A portal that shows other homes to the signed out: each view has a baseline of its
// own, and going from one to the other is no news.
func TestSignedOutViewHasItsOwnBaseline(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		public := func(ns ...int) monitor.Page {
			p := results(homes(ns...)...)
			p.View = monitor.SignedOutView
			return p
		}
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(3)
		w.portal.set(urlP, public(ids(61, 80)...))
		w.cycles(2)
		w.told()
		w.portal.set(urlP, public(ids(61, 81)...))
		w.cycle()
		w.told("81")
		w.show(urlP, ids(1, 21)...)
		w.cycle()
		w.told("21")
	})
}

// The session ends after three good checks and the portal leads to its login.
func TestSessionThatEndsAfterThreeChecks(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(3)
		w.portal.set(urlP, signedOut())
		w.portal.asked()
		w.pass(time.Hour)
		if n := len(w.portal.asked()); n < 5 || n > 8 {
			t.Errorf("%d checks in an hour of being signed out", n)
		}
		if row := w.row("P"); row.State != monitor.RowSignedOut || row.Listings != 20 {
			t.Errorf("row %+v", row)
		}
		w.told()
		w.show(urlP, ids(1, 21)...)
		w.pass(11 * time.Minute)
		w.told("21")
	})
}

// The record of one search of fifteen is all that is left: the others learn their
// pages anew without a word, and nothing is watched less for it.
func TestLedgerThatKnowsOneOfFifteenSearches(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := []string{"https://a.example/0"}
		w.search("S0", urls[0])
		w.show(urls[0], ids(1, 20)...)
		w.start()
		w.cycles(2)
		for n := 1; n < 15; n++ {
			url := "https://" + string(rune('a'+n%5)) + ".example/" + string(rune('a'+n))
			urls = append(urls, url)
			w.search("S"+string(rune('a'+n)), url)
			w.show(url, ids(100*n, 100*n+19)...)
		}
		w.restart()
		w.cycles(2)
		w.told()
		w.portal.asked()
		w.cycle()
		got := w.portal.asked()
		for _, url := range urls {
			if !slices.Contains(got, url) {
				t.Errorf("%s is not checked", url)
			}
		}
		w.show(urls[7], append(ids(700, 719), 9)...)
		w.cycle()
		w.told("9")
	})
}

// The last searches of the file were lost while Notifio did not run, as by a save that
// a power failure has cut: the log names them, once.
func TestSearchesLostBetweenTwoRunsAreNamed(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("R", urlR)
		w.show(urlP, ids(1, 20)...)
		w.show(urlR, ids(101, 120)...)
		w.start()
		w.cycles(2)
		w.settings.Searches = w.settings.Searches[:1]
		w.restart()
		w.cycles(2)
		w.restart()
		w.cycle()
		if n := strings.Count(w.lines.text(), "not in the configuration any more"); n != 1 || !strings.Contains(w.lines.text(), urlR) {
			t.Errorf("named %d times:\n%s", n, w.lines.tail())
		}
		w.search("R", urlR) // it is the same search as before
		w.show(urlR, ids(101, 121)...)
		w.reload()
		w.cycles(2)
		w.told("121")
	})
}
