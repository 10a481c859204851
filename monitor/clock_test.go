package monitor_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/monitor"
)

// Exact instants, in virtual time.

// starts are the starts of the next n cycles of a world with one search.
func (w *world) starts(n int) []time.Time {
	w.t.Helper()
	w.portal.asked()
	for range n {
		w.cycle()
	}
	return w.portal.at(urlP)
}

func TestCadenceIsMeasuredStartToStart(t *testing.T) {
	for _, took := range []time.Duration{0, 100 * time.Millisecond, 4 * time.Second, 24 * time.Second} {
		t.Run(took.String(), func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.settings.Jitter = 0
				w.search("P", urlP)
				w.show(urlP, 1)
				w.portal.slow(urlP, took, true)
				w.start()
				at := w.starts(6)
				for i := 1; i < len(at); i++ {
					if gap := at[i].Sub(at[i-1]); gap != 30*time.Second {
						t.Errorf("gap %d is %v", i, gap)
					}
				}
			})
		})
	}
}

func TestFloorAfterALongCycle(t *testing.T) {
	for took, line := range map[time.Duration]string{
		26 * time.Second:         "", // within the interval, but too close to its end
		61300 * time.Millisecond: "Cycle took 61.3s, over the 30s interval. Next poll in 5.0s",
	} {
		t.Run(took.String(), func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.settings.Jitter = 0
				w.timing.Stuck = 2 * time.Minute // one long check stands for many
				w.search("P", urlP)
				w.show(urlP, 1)
				w.portal.slow(urlP, took, true)
				w.start()
				at := w.starts(3)
				for i := 1; i < len(at); i++ {
					if gap := at[i].Sub(at[i-1]); gap != took+5*time.Second {
						t.Errorf("gap %v, want %v", gap, took+5*time.Second)
					}
				}
				if line == "" && strings.Contains(w.lines.text(), "Cycle took") {
					t.Error("logged an overrun that was none")
				}
				w.logged(line)
			})
		})
	}
}

func TestJitterIsDrawnAnewAndUniform(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		w.start()
		at := w.starts(1001)
		var quarters [4]int
		for i := 1; i < len(at); i++ {
			gap := at[i].Sub(at[i-1])
			if gap < 25*time.Second || gap > 35*time.Second {
				t.Fatalf("gap %v", gap)
			}
			quarters[min(3, int((gap-25*time.Second)/(2500*time.Millisecond)))]++
		}
		for q, n := range quarters { // 250 expected, deviation 13.7
			if math.Abs(float64(n)-250) > 60 {
				t.Errorf("quarter %d of the range was drawn %d times of 1000", q, n)
			}
		}
	})
}

func TestCheckNowIsTheSameTick(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Jitter = 0
		w.search("P", urlP)
		w.show(urlP, 1)
		w.start()
		begun := time.Now()
		w.cycle() // took 1 s
		time.Sleep(2 * time.Second)
		for range 20 {
			w.mon.CheckNow()
		}
		w.cycle()
		w.mon.CheckNow() // right after its end
		w.cycle()
		time.Sleep(10 * time.Second)
		w.mon.CheckNow()
		synctest.Wait()
		w.mon.CheckNow() // in flight: does nothing
		w.cycle()
		w.cycle()
		var got []time.Duration
		for _, at := range w.portal.at(urlP) {
			got = append(got, at.Sub(begun))
		}
		want := "[0s 6s 12s 23s 53s]" // floor, floor, at once, and the interval afresh
		if fmt.Sprint(got) != want {
			t.Errorf("checked at %v, want %s", got, want)
		}
	})
}

func TestWakingBringsOneCycle(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		w.start()
		w.cycles(2)
		time.Sleep(8 * time.Second)
		w.portal.asked()
		w.sleepFor(3 * time.Hour)
		woke := time.Now()
		w.pass(20 * time.Second)
		at := w.portal.at(urlP)
		if len(at) != 1 || at[0].Sub(woke) > 5*time.Second {
			t.Errorf("checked at %v after waking at %v", at, woke)
		}
		w.logged("Awake again")
	})
}

func TestSpacingWithinAHost(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.five()
		w.start()
		for range 20 {
			w.portal.asked()
			w.cycle()
			at := w.portal.at("")
			for i := 1; i < len(at); i++ {
				if gap := at[i].Sub(at[i-1]); gap < time.Second || gap > 3*time.Second {
					t.Errorf("two requests %v apart", gap)
				}
			}
		}
		if _, clash := w.portal.crowd(); clash {
			t.Error("two checks of one host at a time")
		}
	})
}

func TestLanesAreTakenPerCheck(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		for _, host := range []string{"a", "b", "c", "d", "e"} {
			for _, page := range []string{"x", "y", "z"} {
				url := "https://" + host + ".example/" + page
				w.search(host+page, url)
				w.show(url, 1)
				w.portal.slow(url, 3*time.Second, true)
			}
		}
		w.start()
		begun := time.Now()
		w.cycle()
		if took := time.Since(begun); took > 19*time.Second {
			t.Errorf("15 searches on 5 hosts took %v", took)
		}
		if most, clash := w.portal.crowd(); most != 3 || clash {
			t.Errorf("%d checks at once, two of one host: %v", most, clash)
		}
	})
}

func TestLadderSurvivesARestart(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.timing.LadderJitter = 0
		urls := w.five()
		w.start()
		w.cycles(2)
		w.all(urls, refused(0))
		w.cycle()
		retry := w.sameRetry(urls)
		w.restart()
		w.portal.asked()
		w.pass(retry.Sub(w.wall()) - time.Second)
		if got := w.portal.asked(); len(got) != 0 {
			t.Errorf("asked %q before %v", got, retry)
		}
		w.pass(40 * time.Second)
		if got := w.portal.asked(); len(got) != 1 {
			t.Errorf("asked %q, want one probe", got)
		}
		if left := w.row("A").RetryAt.Sub(w.wall()); left < time.Minute || left > 2*time.Minute {
			t.Errorf("%v left of the second rung", left)
		}
	})
}

func TestErrorsBackOffAfterTwoCycles(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Jitter, w.timing.LadderJitter = 0, 0
		w.search("P", urlP)
		w.show(urlP, 1)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, timeout())
		w.portal.asked()
		w.pass(10 * time.Minute)
		var got []string
		at := w.portal.at(urlP)
		for i := 1; i < len(at); i++ {
			got = append(got, at[i].Sub(at[i-1]).String())
		}
		// One is ignored; then waits of 1, 2 and 5 min, each up to the next cycle.
		if want := "30s 1m30s 2m30s 5m30s"; strings.Join(got, " ")+" 5m30s" != want && strings.Join(got, " ") != want {
			t.Errorf("gaps %q, want %q", got, want)
		}
	})
}

func TestBrowserTroubleIsNotTheHosts(t *testing.T) {
	died := fmt.Errorf("%w: Chromium has crashed", monitor.ErrBrowser)
	t.Run("once", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.show(urlP, 1)
			w.start()
			w.cycles(2)
			w.portal.fail(urlP, died)
			w.show(urlP, 1, 2)
			w.portal.asked()
			w.cycle()
			if got := w.portal.asked(); len(got) != 2 {
				t.Errorf("asked %q, want the check repeated in its cycle", got)
			}
			w.told("2")
		})
	})
	t.Run("for long", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			urls := w.five()
			w.start()
			w.cycles(2)
			for _, url := range urls {
				w.portal.fail(url, died, died, died, died, died, died, died, died)
			}
			w.cycles(3)
			v := w.view()
			if len(v.Troubles) != 1 || v.Troubles[0].Source != "browser" {
				t.Errorf("troubles %v", v.Troubles)
			}
			for _, r := range v.Rows {
				if !r.RetryAt.IsZero() {
					t.Errorf("%s waits until %v", r.Name, r.RetryAt)
				}
			}
			w.portal.recover()
			w.cycle()
			if v := w.view(); len(v.Troubles) != 0 {
				t.Errorf("troubles %v", v.Troubles)
			}
		})
	})
}

func TestPauseUntil(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		w.start()
		w.cycles(2)
		w.mon.Pause(w.wall().Add(time.Hour))
		w.portal.asked()
		w.pass(59 * time.Minute)
		if got := w.portal.asked(); len(got) != 0 {
			t.Errorf("asked %q while paused", got)
		}
		w.pass(time.Minute + 7*time.Second)
		if got := w.portal.asked(); len(got) != 1 {
			t.Errorf("asked %q after the pause", got)
		}
	})
}

func TestMailLadder(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		w.start()
		w.cycles(2)
		w.inbox.down()
		w.show(urlP, 1, 2)
		w.pass(2 * time.Hour)
		at := w.inbox.attempts()
		var got []string
		for i := 1; i < len(at); i++ {
			got = append(got, at[i].Sub(at[i-1]).String())
		}
		if want := "1m0s 2m0s 5m0s 10m0s 30m0s 30m0s 30m0s"; !strings.HasPrefix(want, strings.Join(got, " ")) || len(got) < 6 {
			t.Errorf("attempts %q apart, want %q", got, want)
		}
		w.logged("[notify] Failed to send: mail.example.org:587: no answer within 30s. Keeping listings untold, will retry at ")
	})
}

func TestMailRefusedForGood(t *testing.T) {
	account := &monitor.DeliveryError{Refusal: monitor.AccountRefused, Err: errors.New("535 not accepted"), Hint: "use an app password"}
	t.Run("the account: hourly, and after a change", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.show(urlP, 1)
			w.start()
			w.cycles(2)
			w.inbox.failing(account)
			w.show(urlP, 1, 2)
			w.pass(10 * time.Minute)
			w.show(urlP, 1, 2, 3) // new news does not hasten it
			w.pass(175 * time.Minute)
			if got := len(w.inbox.attempts()); got < 3 || got > 4 {
				t.Errorf("%d attempts in three hours", got)
			}
			if v := w.view(); len(v.Troubles) != 1 || !strings.Contains(v.Troubles[0].Text, "use an app password") {
				t.Errorf("troubles %v", v.Troubles)
			}
			w.inbox.up()
			w.teller.RetryMail()
			synctest.Wait()
			w.told("2 3")
			if v := w.view(); len(v.Troubles) != 0 {
				t.Errorf("troubles %v", v.Troubles)
			}
		})
	})
	t.Run("one message: once more as plain text, alone, then by banner", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.show(urlP, 1)
			w.start()
			w.cycles(2)
			w.inbox.failing(&monitor.DeliveryError{Refusal: monitor.MessageRefused, Err: errors.New("554 looks like spam")})
			w.show(urlP, 1, 2, 3)
			w.cycle()
			w.pass(time.Minute)
			if got := len(w.inbox.attempts()); got != 3 {
				t.Errorf("%d attempts, want one for both and one for each", got)
			}
			refusals := 0
			for _, title := range w.desk.take() {
				if strings.HasPrefix(title, "Email refused: ") {
					refusals++
				}
			}
			if refusals != 2 || w.view().Pending != 2 {
				t.Errorf("%d banners, %d pending; want 2 and 2", refusals, w.view().Pending)
			}
			w.inbox.up()
			w.pass(2 * time.Hour)
			letters := w.inbox.take()
			if len(letters) != 2 || !letters[0].Plain || !letters[1].Plain {
				t.Errorf("letters %v", letters)
			}
		})
	})
}

func TestAnswerUnknownGoesAgainAsItIs(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		w.start()
		w.cycles(2)
		w.inbox.failingSealed(&monitor.DeliveryError{Refusal: monitor.AnswerUnknown, Err: errors.New("no answer to the data")})
		w.show(urlP, 1, 2)
		w.cycle()
		w.pass(12 * time.Second)
		w.show(urlP, 1, 2, 3)
		w.cycle()
		w.inbox.up()
		w.restart()
		w.cycle()
		letters := w.inbox.take()
		if len(letters) != 2 {
			t.Fatalf("letters %v", letters)
		}
		if string(letters[0].Raw) != "Message-ID: "+letters[0].ID {
			t.Errorf("sent %q as %s: not the same bytes", letters[0].Raw, letters[0].ID)
		}
		if got := idsOf(letters[1].Alerts); len(got) != 1 || got[0] != "3" {
			t.Errorf("the second letter tells %q", got)
		}
	})
}

func TestQuietHoursHoldBanners(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		// The bubble begins at midnight, UTC.
		w.settings.Quiet = monitor.QuietHours{From: 0, To: 7 * 60, Zone: time.UTC}
		w.search("P", urlP)
		w.show(urlP, 1)
		w.start()
		w.cycles(2)
		w.show(urlP, 1, 2)
		w.cycle()
		w.told("2")
		w.show(urlP, 1, 2, 3)
		w.cycle()
		w.told("3")
		if got := w.desk.take(); len(got) != 0 {
			t.Errorf("banners %q in quiet hours", got)
		}
		w.restart() // what is held survives
		w.pass(7 * time.Hour)
		if got := w.desk.take(); len(got) != 1 || got[0] != "2 new listings while it was quiet" {
			t.Errorf("banners %q", got)
		}
	})
}

func TestMoreThanThreeBannersAreCounted(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.show(urlP, ids(1, 23)...)
		w.cycle()
		if got := w.desk.take(); len(got) != 3 {
			t.Errorf("banners %q for three", got)
		}
		w.show(urlP, ids(1, 27)...)
		w.cycle()
		if got := w.desk.take(); len(got) != 1 || got[0] != "4 new listings" {
			t.Errorf("banners %q for four", got)
		}
	})
}

func TestUserSaysThatAPageIsNewestFirst(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP, newestFirst)
		w.portal.set(urlP, of(160, results(homes(ids(1, 25)...)...)))
		w.start()
		w.cycles(2)
		w.portal.set(urlP, of(160, results(homes(append([]int{200}, ids(2, 26)...)...)...)))
		w.cycle()
		w.told("200")
	})
}

func TestOneSearchIsPaused(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("R", urlR)
		w.show(urlP, ids(1, 10)...)
		w.show(urlR, ids(11, 20)...)
		w.start()
		w.cycles(2)
		w.mon.PauseSearch(urlP, true)
		w.restart() // it survives
		w.portal.asked()
		w.cycles(2)
		for _, url := range w.portal.asked() {
			if url == urlP {
				t.Error("a paused search was checked")
			}
		}
		if got := w.row("P"); got.State != monitor.RowPaused || w.row("R").State != monitor.RowFine {
			t.Errorf("rows %+v", w.view().Rows)
		}
		w.show(urlP, ids(1, 11)...)
		w.mon.PauseSearch(urlP, false)
		w.pass(time.Minute)
		w.told("11")
	})
}
