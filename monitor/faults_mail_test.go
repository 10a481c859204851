package monitor_test

import (
	"testing"
	"time"
)

// A mail server that takes ten minutes for an answer holds up no check and no banner,
// and what is found meanwhile goes after it.
func TestChecksDoNotWaitForTheMail(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.inbox.took = 10 * time.Minute
		w.show(urlP, ids(1, 21)...)
		w.cycle()
		w.portal.asked()
		w.show(urlP, ids(1, 22)...)
		w.pass(9 * time.Minute)
		if n := len(w.portal.asked()); n < 16 {
			t.Errorf("%d checks in nine minutes", n)
		}
		if got := w.desk.take(); len(got) != 2 {
			t.Errorf("banners %q", got)
		}
		if n := len(w.inbox.attempts()); n != 1 {
			t.Errorf("%d attempts at a time", n)
		}
		w.pass(20 * time.Minute)
		w.told("21", "22")
	})
}
