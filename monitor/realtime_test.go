package monitor_test

import (
	"context"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

// In a bubble time stands still between two looks at the clock. In the world it
// does not, and a loop that only works in a bubble spins or never sends.
func TestRealClock(t *testing.T) {
	w := newWorld(t, t.TempDir())
	w.search("P", urlP)
	w.show(urlP, 1)
	w.portal.slow(urlP, time.Millisecond, true)
	opened, err := store.Open(context.Background(), w.dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	w.ledger = opened.Store
	defer opened.Store.Close()
	w.timing.Floor, w.timing.MailDelay, w.timing.Spacing, w.timing.SpacingJitter = time.Millisecond, 20*time.Millisecond, 0, 0
	w.settings.Interval, w.settings.Jitter = 20*time.Millisecond, 5*time.Millisecond
	delivered := make(chan monitor.Letter, 10)
	w.settings.Destinations = mailTo(courier(func(l monitor.Letter) { delivered <- l }), "me@example.org")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	w.run(ctx, cancel, opened.Memory, w.desk)
	for range 2 {
		<-w.portal.idle
	}
	w.show(urlP, 1, 2)
	select {
	case l := <-delivered:
		if got := idsOf(l.Alerts); len(got) != 1 || got[0] != "2" {
			t.Errorf("told %q", got)
		}
	case <-ctx.Done():
		t.Error("nothing was told")
	}
	w.mon.Pause(time.Time{})
	for range 100 { // each answered event is a view; nothing else may be
		w.teller.MarkSeen()
	}
	views := func() int { w.mu.Lock(); defer w.mu.Unlock(); return len(w.views) }
	before := views()
	<-time.After(50 * time.Millisecond)
	if spun := views() - before; spun > 200 {
		t.Errorf("%d views while nothing happened", spun)
	}
	cancel()
	w.running.Wait()
}

// courier delivers at once.
type courier func(monitor.Letter)

func (c courier) Deliver(_ context.Context, l monitor.Letter, seal func([]byte) error) error {
	if err := seal([]byte(l.ID)); err != nil {
		return err
	}
	c(l)
	return nil
}
