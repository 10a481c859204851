package monitor_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/monitor"
)

// window is a sign-in window in a story: it opens when the monitor lets it, and
// closes when the user, or the monitor, closes it.
type window struct {
	opened, close chan struct{}
	at            time.Time // when it opened
	err           error     // of opening it
	done          chan error
}

// signIn asks for a window and waits for nothing.
func (w *world) signIn(host string) *window {
	win := &window{opened: make(chan struct{}), close: make(chan struct{}), done: make(chan error, 1)}
	go func() {
		win.done <- w.mon.SignIn(context.Background(), host, func(ctx context.Context) error {
			win.at = time.Now()
			close(win.opened)
			if win.err != nil {
				return win.err
			}
			select {
			case <-win.close:
			case <-ctx.Done():
			}
			return nil
		})
	}()
	return win
}

func TestSignInWindowHoldsEveryCheckAndEndsThePace(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("A", "https://a.example/1")
		w.search("B", "https://b.example/1")
		w.portal.set("https://a.example/1", signedOut())
		w.show("https://b.example/1", ids(1, 20)...)
		w.start()
		w.cycles(2)
		if row := w.row("A"); row.State != monitor.RowSignedOut || row.RetryAt.IsZero() {
			t.Fatalf("before: %+v", row)
		}
		win := w.signIn("a.example")
		<-win.opened
		if v := w.view(); v.Phase != monitor.SigningIn || !v.NextCheck.IsZero() {
			t.Errorf("with the window open: %s, next check %v", v.Phase, v.NextCheck)
		}
		w.portal.asked()
		w.mon.CheckNow()
		w.pass(3 * time.Minute)
		if asked := w.portal.asked(); len(asked) > 0 {
			t.Errorf("with the window open, %v was asked", asked)
		}
		w.show("https://a.example/1", ids(1, 20)...)
		close(win.close)
		if err := <-win.done; err != nil {
			t.Fatal(err)
		}
		w.cycle()
		if row := w.row("A"); row.State != monitor.RowFine || !row.RetryAt.IsZero() {
			t.Errorf("after: %+v", row)
		}
		if v := w.view(); v.Phase != monitor.Watching {
			t.Errorf("after: %s", v.Phase)
		}
	})
}

// A check in flight is cut short, without a verdict, and the window waits for it.
func TestSignInWindowWaitsForTheCheckThatItCuts(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("A", "https://a.example/1")
		w.show("https://a.example/1", ids(1, 20)...)
		w.start()
		w.cycle()
		release := make(chan struct{})
		w.portal.hang("https://a.example/1", release)
		w.pass(40 * time.Second)
		win := w.signIn("a.example")
		w.pass(4 * time.Second)
		if passedBy(win.opened) {
			t.Fatal("the window opened beside a check")
		}
		w.portal.hang("https://a.example/1", nil)
		close(release)
		synctest.Wait()
		if !passedBy(win.opened) {
			t.Fatal("the window did not open after the check")
		}
		if err := w.mon.SignIn(context.Background(), "b.example", nil); err == nil || !strings.Contains(err.Error(), "a.example") {
			t.Errorf("a second window: %v", err)
		}
		close(win.close)
		w.cycle()
		if row := w.row("A"); row.State != monitor.RowFine {
			t.Errorf("after: %+v", row)
		}
	})
}

// A held host is asked by one probe, and the rest follows.
func TestSignInEndsABackoffByAProbe(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		for _, n := range []string{"1", "2", "3"} {
			w.search(n, "https://a.example/"+n)
			w.portal.set("https://a.example/"+n, refused(time.Hour))
		}
		w.start()
		w.cycle()
		win := w.signIn("a.example")
		<-win.opened
		w.portal.asked()
		close(win.close)
		w.cycle()
		if asked := w.portal.asked(); len(asked) != 1 {
			t.Errorf("%v was asked, want a probe", asked)
		}
		for _, n := range []string{"1", "2", "3"} {
			w.show("https://a.example/"+n, ids(1, 20)...)
		}
		win = w.signIn("a.example")
		<-win.opened
		close(win.close)
		w.cycle()
		if asked := w.portal.asked(); len(asked) != 3 {
			t.Errorf("%v was asked, want all", asked)
		}
	})
}

func TestForgottenSignInWindowRemindsAndIsClosed(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("A", "https://a.example/1")
		w.show("https://a.example/1", ids(1, 20)...)
		w.start()
		w.cycle()
		win := w.signIn("a.example")
		<-win.opened
		w.desk.take()
		w.pass(5*time.Minute - time.Second)
		if said := w.desk.take(); len(said) > 0 {
			t.Errorf("before five minutes: %q", said)
		}
		w.pass(2 * time.Second)
		if said := w.desk.take(); len(said) != 1 || said[0] != "The sign-in window is still open" {
			t.Errorf("after five minutes: %q", said)
		}
		if err := <-win.done; err != nil {
			t.Fatal(err)
		}
		if open := time.Since(win.at); open != 15*time.Minute {
			t.Errorf("it was open for %v", open)
		}
		synctest.Wait()
		if said := w.desk.take(); len(said) != 1 || said[0] != "The sign-in window was closed" {
			t.Errorf("at the end: %q", said)
		}
		w.portal.drain()
		w.cycle()
	})
}

func TestWindowThatDoesNotOpenLetsTheChecksGoOn(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("A", "https://a.example/1")
		w.portal.set("https://a.example/1", signedOut())
		w.start()
		w.cycle()
		broken := errors.New("there is no display")
		err := w.mon.SignIn(context.Background(), "a.example", func(context.Context) error { return broken })
		if !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
		w.cycle()
		if row := w.row("A"); row.State != monitor.RowSignedOut || row.RetryAt.IsZero() {
			t.Errorf("nobody has signed in: %+v", row)
		}
	})
}

// A pause goes on after the window; quitting does not wait for it.
func TestSignInDuringAPauseAndQuit(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("A", "https://a.example/1")
		w.show("https://a.example/1", ids(1, 20)...)
		w.start()
		w.cycle()
		w.mon.Pause(time.Time{})
		win := w.signIn("a.example")
		<-win.opened
		if v := w.view(); v.Phase != monitor.SigningIn {
			t.Errorf("with the window open: %s", v.Phase)
		}
		close(win.close)
		<-win.done
		w.portal.asked()
		w.pass(5 * time.Minute)
		if v := w.view(); v.Phase != monitor.Paused || len(w.portal.asked()) > 0 {
			t.Errorf("after: %s", v.Phase)
		}
		win = w.signIn("a.example")
		<-win.opened
		w.stop()
		close(win.close)
		<-win.done
	})
}

func passedBy(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Story 44: a window whose opening hangs, whatever its context says, holds the checks
// up for as long as a forgotten one, and no longer.
func TestStory44WindowThatNeverOpens(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("A", "https://a.example/1")
		w.show("https://a.example/1", ids(1, 20)...)
		w.start()
		w.cycle()
		hangs := make(chan struct{})
		defer close(hangs)
		done := make(chan error, 1)
		go func() {
			done <- w.mon.SignIn(context.Background(), "a.example", func(context.Context) error { <-hangs; return nil })
		}()
		w.pass(16 * time.Minute)
		select {
		case err := <-done:
			if !errors.Is(err, monitor.ErrLeft) {
				t.Errorf("error %v", err)
			}
		default:
			t.Fatal("the window is still being waited for")
		}
		if v := w.view(); v.Phase != monitor.Watching {
			t.Errorf("phase %s", v.Phase)
		}
		w.portal.asked()
		w.pass(5 * time.Minute)
		if n := len(w.portal.at("https://a.example/1")); n < 9 {
			t.Errorf("%d checks in the five minutes after it", n)
		}
	})
}

// A fault in what opens the window is an error like others.
func TestWindowThatPanicsLetsTheChecksGoOn(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("A", "https://a.example/1")
		w.show("https://a.example/1", ids(1, 20)...)
		w.start()
		w.cycle()
		var fault *monitor.Fault
		if err := w.mon.SignIn(context.Background(), "a.example", func(context.Context) error { panic("no window") }); !errors.As(err, &fault) {
			t.Errorf("error %v", err)
		}
		w.cycle()
	})
}
