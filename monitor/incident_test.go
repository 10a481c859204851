package monitor_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// begins says whether there are as many banners as beginnings of titles, and each
// begins with its own.
func begins(banners []string, want ...string) bool {
	return slices.EqualFunc(banners, want, strings.HasPrefix)
}

// A refusal that is over within ten minutes is left to the menu. One that lasts has
// one banner for all of its searches, and one when it is over.
func TestLastingRefusalHasABannerAndSoHasItsEnd(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 5)...)
		w.show(urlQ, ids(1, 5)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, refused(0))
		w.portal.set(urlQ, refused(0))
		w.pass(9 * time.Minute)
		if got := w.desk.take(); len(got) != 0 {
			t.Errorf("banners %q after nine minutes", got)
		}
		w.pass(time.Hour)
		if got := w.desk.take(); !begins(got, "a.example has refused Notifio since ") {
			t.Errorf("banners %q after an hour", got)
		}
		w.show(urlP, ids(1, 5)...)
		w.show(urlQ, ids(1, 5)...)
		w.pass(time.Hour)
		if got := w.desk.take(); !begins(got, "a.example answers again") {
			t.Errorf("banners %q after the end", got)
		}
	})
}

func TestShortRefusalHasNoBanner(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 5)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, refused(0))
		w.pass(2 * time.Minute)
		w.show(urlP, ids(1, 5)...)
		w.pass(time.Hour)
		if got := w.desk.take(); len(got) != 0 {
			t.Errorf("banners %q", got)
		}
	})
}

// Other searches of the same site are fine, so the site is not to blame.
func TestSearchThatCannotBeReadForLongHasABanner(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 5)...)
		w.show(urlQ, ids(1, 5)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, strayed())
		w.pass(time.Hour)
		if got := w.desk.take(); !begins(got, "P cannot be read since ") {
			t.Errorf("banners %q", got)
		}
		w.show(urlP, ids(1, 5)...)
		w.pass(time.Hour)
		if got := w.desk.take(); !begins(got, "P can be read again") {
			t.Errorf("banners %q after the end", got)
		}
	})
}

// What the user has put aside has not become better, and is no trouble any more.
func TestPausedSearchIsNotSaidToBeFine(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 5)...)
		w.show(urlQ, ids(1, 5)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, strayed())
		w.pass(time.Hour)
		w.desk.take()
		w.mon.PauseSearch(urlP, true)
		w.pass(time.Hour)
		if got := w.desk.take(); len(got) != 0 {
			t.Errorf("banners %q after it was paused", got)
		}
	})
}

// A machine without network says so; nothing is known of the sites.
func TestOfflineIsNoTroubleOfASite(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Destinations = byBanner
		w.search("P", urlP)
		w.show(urlP, ids(1, 5)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, unreachable())
		w.pass(3 * time.Hour)
		if got := w.desk.take(); !begins(got, "No network since ") {
			t.Errorf("banners %q while offline", got)
		}
	})
}

func TestLastingMailTroubleHasABannerAndSoHasItsEnd(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 5)...)
		w.start()
		w.cycles(2)
		w.inbox.failing(&monitor.DeliveryError{Refusal: monitor.Temporary, Err: errors.New("mail.example.com does not answer")})
		w.show(urlP, ids(1, 6)...)
		w.pass(time.Minute)
		w.desk.take() // the listing's own
		w.pass(time.Hour)
		if got := w.desk.take(); !begins(got, "Email does not work") {
			t.Errorf("banners %q", got)
		}
		w.inbox.up()
		w.pass(time.Hour)
		if got := w.desk.take(); !begins(got, "Email works again") {
			t.Errorf("banners %q after the end", got)
		}
	})
}

// A download reports each per cent.
func TestTroubleThatMovesOnHasOneBanner(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 5)...)
		w.start()
		for _, done := range []string{" …", ": 10 %", ": 20 %", ": 99 %"} {
			w.mon.Report("browser", "Downloading Chromium"+done)
		}
		w.mon.Report("configuration", "notifio.toml:3: unknown key")
		w.mon.Report("configuration", "notifio.toml:9: unknown key")
		w.pass(time.Second)
		if got := w.desk.take(); !begins(got, "The browser is not ready", "Your configuration has", "Your configuration has") {
			t.Errorf("banners %q", got)
		}
		w.mon.Report("browser", "")
		w.mon.Report("configuration", "")
		w.pass(2 * time.Second)
		if got := w.desk.take(); !begins(got, "The browser is ready", "The configuration is good again") {
			t.Errorf("banners %q after their ends", got)
		}
	})
}

// Beyond half an hour there is one email as well, and one when it is over. The
// mail's own trouble has none.
func TestLastingTroubleIsMailedOnce(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 10)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, refused(0))
		w.pass(29 * time.Minute)
		w.told()
		w.pass(2 * time.Hour)
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Notices) != 1 || !strings.Contains(letters[0].Notices[0].Title, "a.example has refused Notifio since") {
			t.Fatalf("letters %+v", letters)
		}
		w.show(urlP, ids(1, 11)...)
		w.pass(40 * time.Minute)
		var titles []string
		for _, l := range w.inbox.take() {
			for _, n := range l.Notices {
				titles = append(titles, n.Title)
			}
		}
		if len(titles) != 1 || titles[0] != "a.example answers again" {
			t.Errorf("titles %q", titles)
		}
	})
}

func TestNoticesSurviveAFailingMail(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 10)...)
		w.start()
		w.cycles(2)
		w.inbox.down()
		w.portal.set(urlP, refused(0))
		w.pass(3 * time.Hour)
		w.inbox.up()
		w.pass(31 * time.Minute)
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Notices) != 1 {
			t.Fatalf("letters %+v", letters)
		}
	})
}

// Story 45, and 24: an episode has one banner when it begins and one when it ends,
// whatever the other searches of the host do.
func TestStory45SignedOutBesideACleanSibling(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 5)...)
		w.show(urlQ, ids(1, 5)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, signedOut())
		w.pass(time.Minute)
		if got := w.desk.take(); !begins(got, "Signed out of a.example") {
			t.Errorf("banners %q in the first minute", got)
		}
		w.pass(6 * time.Hour)
		if got := w.desk.take(); len(got) != 0 {
			t.Errorf("banners %q in six hours", got)
		}
		w.portal.set(urlP, timeout()) // says nothing of the session
		w.pass(40 * time.Minute)
		w.portal.set(urlP, signedOut())
		w.pass(20 * time.Minute)
		w.mon.SessionRenewed("a.example") // in vain
		w.pass(20 * time.Minute)
		for _, title := range w.desk.take() {
			if strings.Contains(title, "igned") {
				t.Errorf("banner %q", title)
			}
		}
		w.show(urlP, ids(1, 5)...)
		w.pass(11 * time.Minute)
		if got := w.desk.take(); !begins(got, "Signed in to a.example again") {
			t.Errorf("banners %q after the end", got)
		}
		for _, title := range w.noticed() {
			if strings.Contains(title, "igned") || strings.Contains(title, "can be read again") {
				t.Errorf("email %q", title)
			}
		}
	})
}

// Two are signed out, and one of them is deleted: nobody has signed in.
func TestDeletedSearchIsNotSaidToBeSignedIn(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 5)...)
		w.portal.set(urlQ, signedOut())
		w.start()
		w.pass(time.Minute)
		w.desk.take()
		w.settings.Searches = w.settings.Searches[:1]
		w.reload()
		w.pass(time.Hour)
		if got := w.desk.take(); len(got) != 0 {
			t.Errorf("banners %q", got)
		}
	})
}

// The host refuses for a minute: the search that cannot be read there has not become
// better, and is told once.
func TestSearchThatCannotBeReadIsToldOnceThoughItsHostIsHeld(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 5)...)
		w.show(urlQ, ids(1, 5)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, strayed())
		w.pass(time.Hour)
		w.desk.take()
		w.portal.set(urlQ, refused(0))
		w.pass(90 * time.Second)
		w.show(urlQ, ids(1, 5)...)
		w.pass(time.Hour)
		if got := w.desk.take(); len(got) != 0 {
			t.Errorf("banners %q", got)
		}
	})
}

// No network for three hours: one banner when it lasts, one when it is over, no email,
// and nothing of a site, not even that it answers again.
func TestOfflineHasABannerAndSoHasItsEnd(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("R", urlR)
		w.show(urlP, ids(1, 5)...)
		w.show(urlR, ids(1, 5)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlR, strayed())
		w.pass(time.Hour)
		if got := w.desk.take(); !begins(got, "R cannot be read since ") {
			t.Fatalf("banners %q", got)
		}
		w.noticed()
		w.all([]string{urlP, urlR}, unreachable())
		w.pass(15 * time.Minute)
		if got := w.desk.take(); !begins(got, "No network since ") {
			t.Errorf("banners %q after a quarter of an hour", got)
		}
		w.pass(3 * time.Hour)
		w.show(urlP, ids(1, 5)...)
		w.portal.set(urlR, strayed())
		w.pass(30 * time.Minute)
		if got := w.desk.take(); !begins(got, "Online again") {
			t.Errorf("banners %q after the end", got)
		}
		if got := w.noticed(); len(got) != 0 {
			t.Errorf("emails %q", got)
		}
	})
}
