package monitor_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// A page that breaks the reading of it costs its own search, and no other.
func TestPageThatBreaksTheReaderCostsItsSearch(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("R", urlR)
		w.show(urlP, ids(1, 20)...)
		w.show(urlR, ids(101, 120)...)
		w.start()
		w.cycles(2)
		w.portal.breakOn(urlP)
		w.show(urlR, ids(101, 121)...)
		w.cycles(4)
		w.told("121")
		if p := w.row("P"); p.State != monitor.RowFailed || !strings.Contains(p.Text, "a card without an address") || p.RetryAt.IsZero() {
			t.Errorf("row %+v", p)
		}
		if v := w.view(); len(v.Troubles) != 0 {
			t.Errorf("troubles %+v", v.Troubles)
		}
		w.logged("please report this")
		w.portal.breakOn("")
		w.show(urlP, ids(1, 21)...)
		w.pass(6 * time.Minute)
		w.told("21")
	})
}

// breakOn makes every check of a page end in a panic; "" lets them be.
func (p *portal) breakOn(url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watch = func(s monitor.Search, _ monitor.Verdict, _, _ time.Time) {
		if s.URL == url {
			panic("a card without an address")
		}
	}
}

// brittleWriter breaks over one home.
type brittleWriter struct {
	*mailboxes
	over string
}

func (b brittleWriter) Deliver(ctx context.Context, l monitor.Letter, seal func([]byte) error) error {
	if slices.Contains(idsOf(l.Alerts), b.over) {
		panic("no words for home " + b.over)
	}
	return b.mailboxes.Deliver(ctx, l, seal)
}

// A home that breaks the writing of an email keeps no other from being told, and is
// told by banner.
func TestHomeThatBreaksTheEmailIsToldByBanner(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		boxes := newMailboxes()
		w.settings.Destinations = mailTo(brittleWriter{boxes, "22"}, "ana@example.org")
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.show(urlP, ids(1, 23)...)
		w.pass(10 * time.Minute)
		got, _ := boxes.of("ana@example.org")
		slices.Sort(got)
		if !slices.Equal(got, []string{"21", "23"}) {
			t.Errorf("told %q", got)
		}
		if said := w.desk.take(); !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, "Email refused: ") && strings.Contains(s, "22") }) {
			t.Errorf("banners %q", said)
		}
		if n := w.view().Pending; n != 1 {
			t.Errorf("%d pending", n)
		}
	})
}
