package monitor_test

import (
	"testing"
	"time"
)

// A checker that never comes back, against its promise, is given up; the other
// searches keep their cadence.
func TestCheckThatNeverComesBack(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("R", urlR)
		w.show(urlP, ids(1, 10)...)
		w.show(urlR, ids(11, 20)...)
		w.start()
		w.cycles(2)
		release := make(chan struct{})
		defer close(release)
		w.portal.hang(urlP, release)
		w.pass(3 * time.Minute)
		w.logged("the check did not come back within 45s")
		w.portal.hang(urlP, nil)
		w.show(urlP, ids(1, 11)...)
		w.show(urlR, ids(11, 21)...)
		w.pass(3 * time.Minute)
		told := 0
		for _, l := range w.inbox.take() {
			told += len(l.Alerts)
		}
		if told != 2 {
			t.Errorf("told %d, want one of each search", told)
		}
	})
}
