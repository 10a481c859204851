package monitor_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// What is told, when the ways to tell it, or the disk, fail.

// mailboxes are a courier to several people, some of whom cannot be reached.
type mailboxes struct {
	mu    sync.Mutex
	shut  map[string]error
	got   map[string][]string
	tries map[string]int
}

func newMailboxes() *mailboxes {
	return &mailboxes{shut: map[string]error{}, got: map[string][]string{}, tries: map[string]int{}}
}

func (m *mailboxes) Deliver(_ context.Context, l monitor.Letter, seal func([]byte) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tries[l.To]++
	if err := m.shut[l.To]; err != nil {
		return err
	}
	if err := seal([]byte(l.ID)); err != nil {
		return err
	}
	m.got[l.To] = append(m.got[l.To], strings.Join(idsOf(l.Alerts), " "))
	return nil
}

func (m *mailboxes) shutTo(to string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shut[to] = err
}

func (m *mailboxes) of(to string) ([]string, int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.got[to]), m.tries[to]
}

// seldom makes a story of hours affordable.
func (w *world) seldom(interval time.Duration) {
	w.settings.Interval = interval
	w.timing.Pulse, w.timing.Asleep = 10*time.Second, time.Minute
}

// Two people are told: each once, also when one of them cannot be reached at first.
func TestEachRecipientIsToldOnce(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.seldom(5 * time.Minute)
		boxes := newMailboxes()
		w.settings.Destinations = mailTo(boxes, "ana@example.org", "ben@example.org")
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		boxes.shutTo("ben@example.org", &monitor.DeliveryError{Refusal: monitor.Temporary, Recipient: true, Err: errors.New("450 4.2.1 greylisted")})
		w.show(urlP, ids(1, 21)...)
		w.pass(20 * time.Minute)
		w.restart()
		boxes.shutTo("ben@example.org", nil)
		w.pass(time.Hour)
		for _, to := range []string{"ana@example.org", "ben@example.org"} {
			if got, _ := boxes.of(to); !slices.Equal(got, []string{"21"}) {
				t.Errorf("%s was told %q", to, got)
			}
		}
		if _, tries := boxes.of("ana@example.org"); tries != 1 {
			t.Errorf("who was told at once was written to %d times", tries)
		}
	})
}

// Thirty homes at once are one email, one attempt and one banner; and a server that
// has had enough of our logins is asked less and less often.
func TestThirtyHomesAtOnceAreOneEmail(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.seldom(10 * time.Minute)
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.show(urlP, ids(1, 50)...)
		w.cycle()
		if letters := w.inbox.take(); len(letters) != 1 || len(letters[0].Alerts) != 30 || len(w.inbox.attempts()) != 1 {
			t.Fatalf("%d letters in %d attempts", len(letters), len(w.inbox.attempts()))
		}
		if got := w.desk.take(); len(got) != 1 || got[0] != "30 new listings" {
			t.Errorf("banners %q", got)
		}
		w.inbox.failing(&monitor.DeliveryError{Refusal: monitor.Temporary, Err: errors.New("454 4.7.0 Too many login attempts")})
		w.show(urlP, ids(1, 51)...)
		w.pass(3 * time.Hour)
		if n := len(w.inbox.attempts()) - 1; n < 8 || n > 11 {
			t.Errorf("%d attempts in three hours", n)
		}
		w.inbox.up()
		w.pass(31 * time.Minute)
		w.told("51")
	})
}

// A download tells each per cent; the menu shows all of them and the log one in ten.
func TestDownloadIsALineForEachTenth(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		w.start()
		w.mon.Pause(time.Time{}) // a check that works would end the trouble
		w.mon.Report("browser", "Downloading Chromium (about 180 MB) …")
		for n := range 101 {
			w.mon.Report("browser", "Downloading Chromium (about 180 MB): "+strconv.Itoa(n)+" %")
		}
		w.pass(time.Second)
		if v := w.view(); len(v.Troubles) != 1 || !strings.HasSuffix(v.Troubles[0].Text, "100 %") {
			t.Errorf("troubles %+v", v.Troubles)
		}
		if n := strings.Count(w.lines.text(), "Downloading"); n < 10 || n > 12 {
			t.Errorf("%d lines in the log:\n%s", n, w.lines.text())
		}
		for n := range 100 {
			w.mon.Report("browser", "Installing Chromium … ("+strconv.Itoa(5*n)+"s)")
		}
		w.pass(time.Second)
		if n := strings.Count(w.lines.text(), "Installing"); n != 1 {
			t.Errorf("%d lines about one wait", n)
		}
		w.mon.Report("browser", "Chromium is missing and could not be installed")
		w.pass(time.Second)
		w.logged("could not be installed")
	})
}
