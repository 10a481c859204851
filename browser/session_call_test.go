package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mxschmitt/playwright-go"
)

func TestWithinLeavesALateCallBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := limit(t.Context(), 2*time.Second)
		defer cancel()
		orphan := ""
		began := time.Now()
		_, err := within(ctx, nil, func(s string) { orphan = s }, func() (string, error) {
			time.Sleep(time.Minute)
			return "late value", nil
		})
		if took := time.Since(began); !errors.Is(err, errLate) || took != 2*time.Second {
			t.Errorf("%v after %s", err, took)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if orphan != "late value" {
			t.Errorf("the late value was lost: %q", orphan)
		}
	})
}

func TestWithinTellsTheCallersEndFromOurs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller, stop := context.WithCancel(t.Context())
		ctx, cancel := limit(caller, time.Minute)
		defer cancel()
		time.AfterFunc(time.Second, stop)
		err := do(ctx, nil, func() error { time.Sleep(time.Hour); return nil })
		if !errors.Is(err, context.Canceled) || errors.Is(err, errLate) {
			t.Error(err)
		}
		time.Sleep(time.Hour) // until the call that was left behind is back
	})
}

func TestWithinEndsWithTheBrowser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := make(chan struct{})
		time.AfterFunc(time.Second, func() { close(gone) })
		err := do(t.Context(), gone, func() error { time.Sleep(time.Hour); return nil })
		if !errors.Is(err, errGone) {
			t.Error(err)
		}
		time.Sleep(time.Hour)
	})
}

func TestWithinSurvivesAPanicOfTheLibrary(t *testing.T) {
	err := do(t.Context(), nil, func() error { panic("unexpected answer") })
	if err == nil || !strings.Contains(err.Error(), "unexpected answer") {
		t.Error(err)
	}
}

func TestClosedKnowsEveryWayOfSayingIt(t *testing.T) {
	for err, want := range map[error]bool{
		errors.New("Connection closed"):                        true,
		errors.New("could not send message: write |1: closed"): true,
		fmt.Errorf("x: %w", playwright.ErrTargetClosed):        true,
		errGone: true,
		errors.New("Page.goto: net::ERR_CONNECTION_CLOSED at x"): false,
		errLate: false,
	} {
		if closed(err) != want {
			t.Errorf("%v: %v", err, !want)
		}
	}
	if closed(nil) {
		t.Error("no error means that nothing is closed")
	}
}

func TestFirstLineIsShort(t *testing.T) {
	got := firstLine(errors.New("playwright: what happened\nCall log:\n" + strings.Repeat("x", 10000)))
	if got != "what happened" {
		t.Error(got)
	}
	if n := len([]rune(firstLine(errors.New(strings.Repeat("é", 10000))))); n > 201 {
		t.Errorf("%d characters", n)
	}
}
