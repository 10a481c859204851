package monitor_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// Sleep, clocks that jump, and the two nights of the year that are not 24 hours long.

// Fifteen searches on five hosts, and three hours of sleep: each is checked once, with
// the usual distance between two requests to a host, and no more at a time than ever.
func TestWakingIsNoBurst(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		for n := range 15 {
			url := fmt.Sprintf("https://h%d.example/%d", n%5, n)
			w.search(fmt.Sprint("S", n), url)
			w.show(url, ids(1, 10)...)
		}
		w.start()
		w.cycles(2)
		time.Sleep(10 * time.Second)
		w.portal.asked()
		w.sleepFor(3 * time.Hour)
		woke := time.Now()
		w.pass(25 * time.Second)
		byHost, early := map[string][]time.Time{}, 0
		w.portal.mu.Lock()
		asked := slices.Clone(w.portal.requests)
		w.portal.mu.Unlock()
		for _, r := range asked {
			host := monitor.HostOf(r.url)
			byHost[host] = append(byHost[host], r.at)
			if r.at.Sub(woke) < 5*time.Second {
				early++
			}
		}
		if len(asked) != 15 || early == 0 {
			t.Errorf("%d requests after waking, %d in the first five seconds", len(asked), early)
		}
		for host, at := range byHost {
			for i := 1; i < len(at); i++ {
				if gap := at[i].Sub(at[i-1]); gap < time.Second {
					t.Errorf("two requests to %s %v apart", host, gap)
				}
			}
		}
		if most, clash := w.portal.crowd(); most > 3 || clash {
			t.Errorf("%d checks at a time, two of one host: %v", most, clash)
		}
	})
}

// The network needs twenty seconds after a night's sleep: no site is blamed, and
// what came in the night is told.
func TestNoNetworkYetAfterWaking(t *testing.T) {
	for name, page := range map[string]monitor.Page{
		"no such name":       unreachable(),
		"connection refused": {Verdict: monitor.Failed, Reason: "connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.search("P", urlP)
				w.search("R", urlR)
				w.show(urlP, ids(1, 20)...)
				w.show(urlR, ids(101, 120)...)
				w.start()
				w.cycles(2)
				w.all([]string{urlP, urlR}, page)
				w.sleepFor(8 * time.Hour)
				w.pass(20 * time.Second)
				w.show(urlP, ids(1, 22)...)
				w.show(urlR, ids(101, 120)...)
				w.pass(time.Minute)
				w.told("21 22")
				for _, r := range w.view().Rows {
					if r.State != monitor.RowFine || !r.RetryAt.IsZero() {
						t.Errorf("row %+v", r)
					}
				}
			})
		})
	}
}

// The clock is set two hours back, or forward, or is a day wrong: checks keep their
// cadence, and mail that waits for another try goes when it would have gone.
func TestClockThatJumpsStopsNothing(t *testing.T) {
	for _, by := range []time.Duration{-2 * time.Hour, 2 * time.Hour, -26 * time.Hour, 26 * time.Hour} {
		t.Run(by.String(), func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.search("P", urlP)
				w.show(urlP, ids(1, 20)...)
				w.start()
				w.cycles(2)
				w.inbox.down()
				w.show(urlP, ids(1, 21)...)
				w.cycle()
				w.portal.asked()
				w.sleepFor(by)
				w.pass(5 * time.Minute)
				at := w.portal.at(urlP)
				if len(at) < 9 || len(at) > 13 {
					t.Errorf("%d checks in five minutes", len(at))
				}
				for i := 1; i < len(at); i++ {
					if gap := at[i].Sub(at[i-1]); gap > 36*time.Second || gap < 5*time.Second {
						t.Errorf("two checks %v apart", gap)
					}
				}
				w.inbox.up()
				w.pass(10 * time.Minute)
				w.told("21")
				if got := w.desk.take(); len(got) != 1 {
					t.Errorf("banners %q", got)
				}
				if r := w.row("P"); r.Checked.After(w.wall()) {
					t.Errorf("checked at %v, and it is %v", r.Checked, w.wall())
				}
			})
		})
	}
}

// On the nights when the clocks change, quiet hours end when the clock says so: an
// hour sooner in spring, an hour later in autumn, and each held banner once.
func TestQuietHoursOnTheNightsOfTheClockChange(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, night := range []struct {
		evening time.Time
		quiet   time.Duration
	}{
		{time.Date(2026, 3, 28, 22, 30, 0, 0, berlin), 7*time.Hour + 30*time.Minute},
		{time.Date(2026, 10, 24, 22, 30, 0, 0, berlin), 9*time.Hour + 30*time.Minute},
		{time.Date(2026, 6, 6, 22, 30, 0, 0, berlin), 8*time.Hour + 30*time.Minute},
	} {
		t.Run(night.evening.Format(time.DateOnly), func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.offset = time.Until(night.evening)
				w.seldom(20 * time.Minute)
				w.settings.Quiet = monitor.QuietHours{From: 22 * 60, To: 7 * 60, Zone: berlin}
				w.search("P", urlP)
				w.show(urlP, ids(1, 20)...)
				w.start()
				w.cycles(2)
				w.show(urlP, ids(1, 22)...)
				w.cycle()
				w.told("21 22")
				begin := night.evening.Add(night.quiet)
				w.pass(begin.Sub(w.wall()) - 15*time.Second)
				if got := w.desk.take(); len(got) != 0 {
					t.Fatalf("banners %q at %v", got, w.wall().In(berlin))
				}
				w.pass(30 * time.Second)
				if got := w.desk.take(); len(got) != 1 || got[0] != "2 new listings while it was quiet" {
					t.Errorf("banners %q at %v", got, w.wall().In(berlin))
				}
				w.pass(2 * time.Hour)
				if got := w.desk.take(); len(got) != 0 {
					t.Errorf("banners %q afterwards", got)
				}
			})
		})
	}
}

// The machine sleeps while a page is being loaded, which would take its time still.
func TestSleepInTheMiddleOfACheck(t *testing.T) {
	for _, slept := range []time.Duration{7 * time.Second, 3 * time.Hour} {
		t.Run(slept.String(), func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.search("P", urlP)
				w.show(urlP, ids(1, 20)...)
				w.start()
				w.cycles(2)
				w.portal.asked()
				w.portal.slow(urlP, 28*time.Second, true)
				for len(w.portal.at(urlP)) == 0 {
					time.Sleep(100 * time.Millisecond)
				}
				w.portal.asked()
				w.portal.slow(urlP, 0, false)
				w.show(urlP, ids(1, 21)...)
				w.sleepFor(slept)
				woke := time.Now()
				w.pass(20 * time.Second)
				if at := w.portal.at(urlP); len(at) != 1 || at[0].Sub(woke) > 5*time.Second {
					t.Errorf("asked at %v after waking at %v", at, woke)
				}
				w.told("21")
			})
		})
	}
}

// Of five searches two are done and one is on its way when the machine sleeps. After a
// short sleep the two stand; after a long one all five are asked. Either way the usual
// distance is kept, and the beat.
func TestSleepInTheMiddleOfACycle(t *testing.T) {
	for slept, want := range map[time.Duration]int{7 * time.Second: 3, 3 * time.Hour: 5} {
		t.Run(slept.String(), func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.settings.Jitter = 0
				urls, _ := w.midCycle()
				began := time.Now()
				for len(w.portal.requestsTo(urls)) < 2 {
					time.Sleep(100 * time.Millisecond)
				}
				asked := w.portal.asked()
				w.sleepFor(slept)
				woke := time.Now()
				w.pass(18 * time.Second)
				at := w.portal.at("")
				got := w.portal.asked()
				if len(got) != want || at[0].Sub(woke) > 5*time.Second || !slices.Contains(got, asked[1]) {
					t.Errorf("asked %q from %v on after waking at %v, want %d with %s", got, at, woke, want, asked[1])
				}
				for i := 1; i < len(at); i++ {
					if gap := at[i].Sub(at[i-1]); gap < time.Second {
						t.Errorf("two requests %v apart", gap)
					}
				}
				w.cycle()
				if at := w.portal.at(""); len(at) != 5 || at[0].Sub(began).Round(time.Second) != 30*time.Second {
					t.Errorf("then asked at %v, want all five half a minute after %v", at, began)
				}
			})
		})
	}
}

// A laptop that dozes off every few seconds gets through its check all the same.
func TestDozingCutsOneCheckInAnInterval(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Interval = 2 * time.Minute
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.portal.asked()
		w.portal.slow(urlP, 20*time.Second, true)
		w.show(urlP, ids(1, 21)...)
		for len(w.portal.at(urlP)) == 0 {
			time.Sleep(100 * time.Millisecond)
		}
		for range 6 { // awake for three seconds between two naps
			time.Sleep(3 * time.Second)
			w.sleepFor(6 * time.Second)
		}
		w.pass(10 * time.Second)
		if n := len(w.portal.at(urlP)); n != 2 {
			t.Errorf("asked %d times, want once more than without the sleep", n)
		}
		w.told("21")
	})
}

// A check now is cut: what the cycle before it has seen within the interval is no reason
// to leave it undone.
func TestSleepLosesNoCheckNow(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Interval = 10 * time.Minute
		w.search("P", urlP)
		w.search("R", urlR)
		w.settings.Lanes = 1
		w.show(urlP, ids(1, 20)...)
		w.show(urlR, ids(31, 40)...)
		w.start()
		w.cycle()
		w.pass(time.Minute)
		w.portal.slow(urlP, 20*time.Second, true)
		w.portal.slow(urlR, 20*time.Second, true)
		w.portal.asked()
		w.mon.CheckNow()
		w.pass(5 * time.Second)
		w.portal.asked()
		w.sleepFor(7 * time.Second)
		w.pass(time.Minute)
		if got := w.portal.asked(); len(got) != 2 {
			t.Errorf("asked %q, want both", got)
		}
	})
}

// The user pauses before the cycle that was cut can go on: after the pause all is asked.
func TestPauseAfterASleepLosesNothing(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Interval = 10 * time.Minute
		w.search("P", urlP)
		w.search("R", urlR)
		w.show(urlP, ids(1, 20)...)
		w.show(urlR, ids(31, 40)...)
		w.start()
		w.cycle()
		release := make(chan struct{})
		w.portal.hang(urlP, release)
		w.pass(11 * time.Minute)
		w.sleepFor(7 * time.Second)
		w.pass(2 * time.Second)
		w.mon.Pause(time.Time{})
		w.portal.hang(urlP, nil)
		close(release)
		w.pass(5 * time.Second)
		w.portal.asked()
		w.mon.Resume()
		w.pass(15 * time.Second)
		if got := w.portal.asked(); len(got) != 2 {
			t.Errorf("asked %q, want both", got)
		}
	})
}
