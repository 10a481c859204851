package monitor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// Stories 20 to 24: hosts that refuse, fail or have signed us out.

func TestStory20FiveSearchesRefused(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.timing.LadderJitter = 0
		urls := w.five()
		w.start()
		w.cycles(2)
		w.all(urls, refused(0))
		w.portal.asked()
		w.cycle()
		first := w.portal.asked()
		if len(first) != 1 {
			t.Fatalf("asked %q, want one request", first)
		}
		seen := map[string]bool{first[0]: true}
		wait := []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 5 * time.Minute, 5 * time.Minute}
		for i, page := range []monitor.Page{refused(0), refused(0), timeout(), strayed()} {
			retry := w.sameRetry(urls)
			if left := retry.Sub(w.wall()); left > wait[i] || left < wait[i]-2*time.Second {
				t.Errorf("wait %d is %v, want %v", i, left, wait[i])
			}
			w.all(urls, page)
			w.untilProbe(&seen)
			if now := w.wall(); now.Before(retry) {
				t.Errorf("asked at %v, before %v", now, retry)
			}
		}
		if len(seen) != 5 {
			t.Errorf("refused and probed by %v, want five different searches", seen)
		}
		w.all(urls, results(homes(ids(1, 11)...)...))
		w.portal.asked()
		w.cycle()
		for len(w.portal.at("")) == 0 {
			w.cycle()
		}
		if got := w.portal.asked(); len(got) != 5 {
			t.Errorf("asked %q, want the probe and the four others", got)
		}
		w.logged("Recovered 1 site(s), checking 4 held search(es)")
		w.told("11")
	})
}

// sameRetry fails unless all searches show the same retry time, in the future.
func (w *world) sameRetry(urls []string) time.Time {
	w.t.Helper()
	v := w.view()
	for _, r := range v.Rows {
		if !r.RetryAt.Equal(v.Rows[0].RetryAt) || r.RetryAt.IsZero() {
			w.t.Errorf("%s shows %v, %s shows %v", r.Name, r.RetryAt, v.Rows[0].Name, v.Rows[0].RetryAt)
		}
	}
	return v.Rows[0].RetryAt
}

// untilProbe waits for the cycle with the next request, which must be one alone.
func (w *world) untilProbe(seen *map[string]bool) {
	w.t.Helper()
	for range 100 {
		w.cycle()
		asked := w.portal.asked()
		if len(asked) > 1 {
			w.t.Fatalf("asked %q, want one request", asked)
		}
		if len(asked) == 1 {
			(*seen)[asked[0]] = true
			return
		}
	}
	w.t.Fatal("no probe")
}

// One search of five is refused, whichever it is: another one probes, and finds
// that the host has nothing against it.
func TestProbeIsNotWhatWasRefused(t *testing.T) {
	for i := range 5 {
		in(t, func(t *testing.T, w *world) {
			urls := w.five()
			w.start()
			w.cycles(2)
			w.portal.set(urls[i], refused(0))
			w.cycle()
			w.portal.asked()
			var asked []string
			for len(asked) == 0 {
				w.cycle()
				asked = w.portal.asked()
			}
			if asked[0] == urls[i] {
				t.Errorf("%s was refused and asked again as the probe", urls[i])
			}
		})
	}
}

func TestStory21Blip(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := w.five()
		w.start()
		w.cycles(2)
		w.all(urls, timeout())
		w.portal.asked()
		w.cycle()
		if got := w.portal.asked(); len(got) != 2 {
			t.Errorf("asked %q, want two and the rest later", got)
		}
		w.all(urls, results(homes(ids(1, 10)...)...))
		w.cycle()
		if got := w.portal.asked(); len(got) != 5 {
			t.Errorf("asked %q, want all five", got)
		}
		for _, r := range w.view().Rows {
			if !r.RetryAt.IsZero() {
				t.Errorf("%s waits until %v", r.Name, r.RetryAt)
			}
		}
		w.all(urls, timeout()) // forgotten: again two before any wait
		w.cycle()
		if r := w.view().Rows[0]; !r.RetryAt.IsZero() {
			t.Errorf("one bad cycle makes the host wait until %v", r.RetryAt)
		}
		w.cycle()
		w.sameRetry(urls)
	})
}

func TestStory22NoNetwork(t *testing.T) {
	t.Run("all hosts", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.search("R", urlR)
			w.show(urlP, ids(1, 10)...)
			w.show(urlR, ids(11, 20)...)
			w.start()
			w.cycles(2)
			w.all([]string{urlP, urlR}, unreachable())
			w.cycles(6)
			v := w.view()
			if v.Phase != monitor.Offline || !v.Rows[0].RetryAt.IsZero() || v.Rows[0].State != monitor.RowOffline {
				t.Errorf("phase %s, row %+v", v.Phase, v.Rows[0])
			}
			if got := w.desk.take(); len(got) != 0 {
				t.Errorf("banners %q", got)
			}
			w.show(urlP, ids(1, 11)...)
			w.show(urlR, ids(11, 20)...)
			w.cycle()
			w.told("11")
			if got := w.view().Phase; got != monitor.Watching {
				t.Errorf("phase %s", got)
			}
		})
	})
	t.Run("one host refuses connections", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.search("R", urlR)
			w.show(urlP, ids(1, 10)...)
			w.show(urlR, ids(11, 20)...)
			w.start()
			w.cycles(2)
			w.portal.set(urlP, monitor.Page{Verdict: monitor.Failed, Reason: "connection refused"})
			w.cycles(2)
			if v := w.view(); v.Phase == monitor.Offline || v.Rows[0].RetryAt.IsZero() {
				t.Errorf("phase %s, row %+v", v.Phase, v.Rows[0])
			}
		})
	})
	for name, lookup := range map[string]error{"one host and no mail server either": errors.New("no such host"), "one host, but the mail server resolves": nil} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.lookup = func(context.Context) error { return lookup }
				w.search("P", urlP)
				w.show(urlP, ids(1, 10)...)
				w.start()
				w.cycles(2)
				w.portal.set(urlP, unreachable())
				w.cycles(3)
				if got, want := w.view().Phase == monitor.Offline, lookup != nil; got != want {
					t.Errorf("offline is %v, want %v", got, want)
				}
			})
		})
	}
}

func TestStory23OneDeadHost(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("A", urlP)
		w.search("B", urlR)
		w.show(urlP, ids(1, 10)...)
		w.show(urlR, ids(11, 20)...)
		w.start()
		w.cycles(2)
		w.portal.slow(urlP, 28*time.Second, true)
		w.portal.set(urlP, timeout())
		w.show(urlR, ids(11, 21)...)
		w.portal.asked()
		for len(w.portal.at(urlR)) == 0 {
			time.Sleep(100 * time.Millisecond)
		}
		w.pass(11500 * time.Millisecond) // its second of loading, and the mail's ten
		w.told("21")
		if got := w.desk.take(); len(got) != 1 {
			t.Errorf("banners %q", got)
		}
		if got := w.view().Phase; got != monitor.Checking {
			t.Errorf("phase %s, want the dead host still being waited for", got)
		}
	})
}

func TestStory24SignedOutOvernight(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 25)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, signedOut())
		w.portal.asked()
		w.pass(6 * time.Hour)
		if got := len(w.portal.asked()); got < 30 || got > 37 {
			t.Errorf("%d checks in six hours, want one every ten minutes", got)
		}
		if got := w.desk.take(); len(got) != 1 {
			t.Errorf("banners %q, want one", got)
		}
		if row := w.row("P"); row.Text != "signed out: sign in again" {
			t.Errorf("row %+v", row)
		}
		w.show(urlP, append(ids(101, 122), ids(1, 3)...)...)
		w.mon.SessionRenewed("a.example")
		w.pass(7 * time.Second)
		if got := len(w.portal.at(urlP)); got != 1 {
			t.Errorf("%d checks at once, want one", got)
		}
		w.pass(40 * time.Second)
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 22 {
			t.Fatalf("letters %v", letters)
		}
	})
}
