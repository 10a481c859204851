package monitor_test

import (
	"context"
	"log/slog"
	"sync/atomic"
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
	defer opened.Store.Close()
	timing := monitor.DefaultTiming()
	timing.Floor, timing.MailDelay, timing.Spacing, timing.SpacingJitter = time.Millisecond, 20*time.Millisecond, 0, 0
	w.settings.Interval, w.settings.Jitter = 20*time.Millisecond, 5*time.Millisecond
	delivered := make(chan monitor.Letter, 10)
	w.settings.Courier = courier(func(l monitor.Letter) { delivered <- l })
	var views atomic.Int64
	m := monitor.NewMonitor(monitor.Options{
		Settings: w.settings, Memory: opened.Memory, Checker: w.portal, Ledger: opened.Store, Notifier: w.desk,
		Log: slog.New(slog.DiscardHandler), Publish: func(monitor.View) { views.Add(1) }, Timing: timing,
	})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	ended := make(chan struct{})
	go func() { m.Run(ctx); close(ended) }()
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
	m.Pause(time.Time{})
	for range 100 { // each answered event is a view; nothing else may be
		m.MarkSeen()
	}
	before := views.Load()
	<-time.After(50 * time.Millisecond)
	if spun := views.Load() - before; spun > 200 {
		t.Errorf("%d views while nothing happened", spun)
	}
	cancel()
	<-ended
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
