package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/monitor"
)

// office is a mail server with a mailbox for each address. A letter that is sent again as
// it is arrives again; mailbox tells copies of it by their Message-ID.
type office struct {
	mu       sync.Mutex
	fate     func(l monitor.Letter) fate // of a letter as it was composed; nil: all arrive
	composed map[string]monitor.Letter   // by Message-ID
	arrived  []monitor.Letter
	tries    []try
}

// fate is what becomes of a letter: an error before the data, whether it arrives, and an
// error for an answer.
type fate struct {
	before error
	lost   bool
	answer error
}

type try struct {
	at time.Time
	id string
	to string
}

func (o *office) Deliver(_ context.Context, l monitor.Letter, seal func([]byte) error) error {
	o.mu.Lock()
	if o.composed == nil {
		o.composed = map[string]monitor.Letter{}
	}
	if l.Raw == nil {
		o.composed[l.ID] = l
	}
	said := o.composed[l.ID]
	o.tries = append(o.tries, try{time.Now(), l.ID, l.To})
	var f fate
	if o.fate != nil {
		f = o.fate(said)
	}
	o.mu.Unlock()
	if f.before != nil {
		return f.before
	}
	if err := seal([]byte("Message-ID: " + l.ID)); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !f.lost {
		o.arrived = append(o.arrived, said)
	}
	return f.answer
}

func (o *office) decide(fate func(monitor.Letter) fate) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.fate = fate
}

// mailbox is what somebody has received, as "kind ids at price", one for each home and
// Message-ID; the second time only what has come since.
func (o *office) mailbox(to string) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var got []string
	seen := map[string]bool{}
	for _, l := range o.arrived {
		if l.To != to || seen[l.ID] {
			continue
		}
		seen[l.ID] = true
		for _, a := range l.Alerts {
			said := fmt.Sprintf("%s %s at %g", a.Kind, a.Listing.ID, a.Listing.Price.Amount)
			if a.Was.Amount > 0 {
				said += fmt.Sprintf(" from %g", a.Was.Amount)
			}
			got = append(got, said)
		}
	}
	o.arrived = slices.DeleteFunc(o.arrived, func(l monitor.Letter) bool { return l.To == to })
	return got
}

func (o *office) attempts(to string) []try {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(o.tries), func(t try) bool { return t.to != to })
}

const ana, ben = "ana@example.org", "ben@example.org"

func (w *world) office(addresses ...string) *office {
	o := &office{}
	w.settings.Destinations = mailTo(o, addresses...)
	return o
}

func (o *office) hears(t *testing.T, to string, want ...string) {
	t.Helper()
	synctest.Wait()
	if got := o.mailbox(to); !slices.Equal(got, want) {
		t.Fatalf("%s was told %q, want %q", to, got, want)
	}
}

var (
	errRefusedConnection = errors.New("dial tcp 127.0.0.1:587: connection refused")
	errNoAnswer          = &monitor.DeliveryError{Refusal: monitor.AnswerUnknown, Err: errors.New("no answer to the data")}
	errSpam              = &monitor.DeliveryError{Refusal: monitor.MessageRefused, Err: errors.New("554 5.7.1 looks like spam")}
	errNoSuchUser        = &monitor.DeliveryError{Refusal: monitor.AccountRefused, Recipient: true, Err: errors.New("550 5.1.1 no such user")}
	errBoxFull           = &monitor.DeliveryError{Refusal: monitor.Temporary, Recipient: true, Err: errors.New("452 4.2.2 mailbox full")}
	errSize              = &monitor.DeliveryError{Refusal: monitor.TooLarge, Err: errors.New("552 5.3.4 message too big")}
)

// with shows ten homes and these.
func (w *world) with(more ...monitor.Listing) {
	w.portal.set(urlP, results(append(more, homes(ids(1, 10)...)...)...))
}

// begun is a world that has its baseline of ten homes.
func (w *world) begun() {
	w.seldom(5 * time.Minute)
	w.search("P", urlP)
	w.with()
	w.start()
	w.cycles(2)
}

// What a letter did not say is not closed by it: a price that fell while it was on its
// way is told in the next one.
func TestPriceDropWhileTheLetterIsOnItsWay(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.begun()
		w.inbox.took = 8 * time.Minute
		w.with(homeAt(21, 1500))
		w.cycle()
		w.with(homeAt(21, 1400))
		w.cycle()
		w.pass(time.Hour)
		w.hears("new 21", "price drop 21")
		if p := w.view().Pending; p != 0 {
			t.Errorf("%d pending", p)
		}
	})
}

func TestStory36TwoMailboxes(t *testing.T) {
	for _, name := range []string{"running", "stopped between the steps"} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				kill := func() {
					if name != "running" {
						w.restart()
					}
				}
				o := w.office(ana, ben)
				w.begun()
				o.decide(func(l monitor.Letter) fate {
					if l.To == ben {
						return fate{before: errBoxFull}
					}
					return fate{}
				})
				w.with(homeAt(21, 1500))
				w.pass(10 * time.Minute)
				o.hears(t, ana, "new 21 at 1500")
				kill()
				w.with(homeAt(21, 1400))
				w.pass(10 * time.Minute)
				o.hears(t, ana, "price drop 21 at 1400 from 1500")
				kill()
				o.decide(nil)
				w.pass(time.Hour)
				o.hears(t, ben, "new 21 at 1400 from 1500")
				o.hears(t, ana)
				kill()
				w.pass(time.Hour)
				o.hears(t, ana)
				o.hears(t, ben)
			})
		})
	}
}

// A recipient that the server refuses is that recipient's trouble: one attempt an hour,
// no message is blamed, and what waited is told when the address is corrected.
func TestStory37AMistypedRecipient(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		o := w.office("you@exmaple.com")
		o.decide(func(l monitor.Letter) fate {
			if l.To == ben {
				return fate{}
			}
			return fate{before: errNoSuchUser}
		})
		w.begun()
		for n := 21; n <= 60; n++ {
			w.show(urlP, append(ids(1, 10), ids(21, n)...)...)
			w.pass(6 * time.Minute)
		}
		w.pass(20 * time.Hour)
		if n := len(o.attempts("you@exmaple.com")); n < 20 || n > 26 {
			t.Errorf("%d attempts in 24 hours", n)
		}
		mailBanners := 0
		for _, title := range w.desk.take() {
			if strings.Contains(title, "mail") {
				mailBanners++
			}
		}
		if mailBanners != 1 {
			t.Errorf("%d banners about the mail", mailBanners)
		}
		if troubles := w.view().Troubles; len(troubles) != 1 || !strings.Contains(troubles[0].Text, "no such user") {
			t.Errorf("troubles %+v", troubles)
		}
		w.settings.Destinations = mailTo(o, ben)
		w.reload()
		w.pass(time.Minute)
		if got := o.mailbox(ben); len(got) != 40 {
			t.Errorf("%d homes were told to the corrected address, want 40", len(got))
		}
		w.pass(2 * time.Hour)
		o.hears(t, ben)
		if troubles := w.view().Troubles; len(troubles) != 0 {
			t.Errorf("troubles %+v", troubles)
		}
	})
}

// A destination that is added begins with now; what one that is taken out was alone to
// hear goes to the others, and nothing goes twice.
func TestDestinationsComeAndGo(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		o := w.office(ana)
		w.begun()
		w.with(home(21))
		w.pass(10 * time.Minute)
		o.hears(t, ana, "new 21 at 1021")
		w.settings.Destinations = mailTo(o, ana, ben)
		w.reload()
		w.pass(10 * time.Minute)
		o.hears(t, ben)
		o.decide(func(monitor.Letter) fate { return fate{before: errRefusedConnection} })
		w.with(home(22), home(21))
		w.pass(10 * time.Minute)
		w.settings.Destinations = mailTo(o, ben)
		w.reload()
		w.stop()
		w.settings.Destinations = byBanner
		w.desk.take()
		w.start()
		w.pass(time.Minute)
		if v := w.view(); v.Pending != 0 {
			t.Errorf("%d pending where banners are all that is told", v.Pending)
		}
		o.decide(nil)
		w.settings.Destinations = mailTo(o, ana, ben)
		w.reload()
		w.pass(time.Hour)
		o.hears(t, ana)
		o.hears(t, ben)
	})
}

func TestStory39AnAnswerThatNeverComes(t *testing.T) {
	t.Run("the same bytes until the answer comes", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			o := w.office(ana)
			w.begun()
			o.decide(func(monitor.Letter) fate { return fate{answer: errNoAnswer, lost: true} })
			w.with(home(21))
			w.cycle()
			w.pass(time.Second)
			o.decide(func(monitor.Letter) fate { return fate{before: errRefusedConnection} })
			w.with(home(22), home(21))
			w.pass(20 * time.Minute)
			w.restart()
			w.pass(20 * time.Minute)
			o.decide(nil)
			w.pass(time.Hour)
			o.hears(t, ana, "new 21 at 1021", "new 22 at 1022")
			first := o.attempts(ana)[0].id
			for _, l := range o.composed {
				if ids := idsOf(l.Alerts); l.ID != first && slices.Contains(ids, "21") {
					t.Errorf("21 was told as %s and as %s", first, l.ID)
				}
			}
		})
	})
	t.Run("one letter is never answered, the others are", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			o := w.office(ana)
			w.begun()
			o.decide(func(l monitor.Letter) fate {
				if slices.Contains(idsOf(l.Alerts), "21") {
					return fate{answer: errNoAnswer, lost: true}
				}
				return fate{}
			})
			for n := 21; n <= 25; n++ {
				w.show(urlP, append(ids(1, 10), ids(21, n)...)...)
				w.pass(24 * time.Hour)
			}
			o.hears(t, ana, "new 22 at 1022", "new 23 at 1023", "new 24 at 1024", "new 25 at 1025")
			if n := len(o.attempts(ana)); n > 65 {
				t.Errorf("%d attempts in five days", n)
			}
			if v := w.view(); v.Pending != 1 || len(v.Troubles) != 1 || !strings.Contains(v.Troubles[0].Text, "perhaps arrived") {
				t.Errorf("%d pending, troubles %+v", v.Pending, v.Troubles)
			}
			o.decide(nil)
			w.restart()
			w.pass(time.Hour)
			o.hears(t, ana)
			w.teller.RetryMail() // on the user's word
			w.pass(time.Minute)
			o.hears(t, ana, "new 21 at 1021")
			if v := w.view(); v.Pending != 0 || len(v.Troubles) != 0 {
				t.Errorf("%d pending, troubles %+v", v.Pending, v.Troubles)
			}
		})
	})
	t.Run("a server that swallows every answer", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			o := w.office(ana)
			w.begun()
			o.decide(func(monitor.Letter) fate { return fate{answer: errNoAnswer} })
			for n := 21; n <= 40; n++ {
				w.show(urlP, append(ids(1, 10), ids(21, n)...)...)
				w.pass(2 * time.Hour)
			}
			w.pass(8 * time.Hour)
			at := o.attempts(ana)
			for i := 6; i < len(at); i++ { // the first rungs are shorter
				if gap := at[i].at.Sub(at[i-1].at); gap < time.Minute {
					t.Errorf("tried again after %v", gap)
				}
			}
			if len(at) > 110 {
				t.Errorf("%d attempts in two days", len(at))
			}
			copies := map[string]int{}
			for _, said := range o.mailbox(ana) {
				copies[said]++
			}
			for said, n := range copies {
				if n > 2 {
					t.Errorf("%d copies of %q", n, said)
				}
			}
			if len(copies) < 10 {
				t.Errorf("%d homes in the mailbox", len(copies))
			}
		})
	})
}

// A letter of notices alone that is refused is not offered again at once.
func TestNoticeThatIsRefusedWaits(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		o := w.office(ana)
		o.decide(func(monitor.Letter) fate { return fate{before: errSpam} })
		w.begun()
		w.portal.set(urlP, refused(0))
		w.pass(6 * time.Hour)
		if n := len(o.attempts(ana)); n < 2 || n > 7 {
			t.Errorf("%d attempts in six hours", n)
		}
		o.decide(nil)
		w.with(home(21))
		w.pass(3 * time.Hour)
		o.hears(t, ana, "new 21 at 1021")
	})
}

// A notice is told once, also when its letter had no answer at first.
func TestNoticeWithoutAnAnswerIsToldOnce(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		o := w.office(ana)
		o.decide(func(monitor.Letter) fate { return fate{answer: errNoAnswer} })
		w.begun()
		w.portal.set(urlP, refused(0))
		w.pass(time.Hour)
		o.decide(nil)
		w.pass(time.Hour)
		notices := 0
		for _, l := range o.composed {
			notices += len(l.Notices)
		}
		if notices != 1 {
			t.Errorf("the notice stands in %d letters", notices)
		}
	})
}

// A letter of notices alone that never has an answer is given up after a day.
func TestNoticeThatNeverHasAnAnswer(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		o := w.office(ana)
		o.decide(func(monitor.Letter) fate { return fate{answer: errNoAnswer} })
		w.begun()
		w.portal.set(urlP, refused(0))
		w.pass(3 * 24 * time.Hour)
		at := o.attempts(ana)
		if n := len(at); n < 30 || n > 60 {
			t.Errorf("%d attempts in three days", n)
		}
		if age := at[len(at)-1].at.Sub(at[0].at); age > 25*time.Hour {
			t.Errorf("still tried after %v", age)
		}
		if v := w.view(); len(v.Troubles) != 0 {
			t.Errorf("troubles %+v", v.Troubles)
		}
	})
}

// snapshot copies the data folder, as a kill at this moment would leave it.
func (w *world) snapshot() string {
	to := filepath.Join(w.t.TempDir(), "killed")
	if err := os.CopyFS(to, os.DirFS(w.dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	return to
}

// killer copies the data folder at the first banner about a home, before it is shown.
type killer struct {
	*desk
	w    *world
	left string
}

func (k *killer) Notify(b monitor.Banner) {
	if k.left == "" && strings.Contains(b.Title, "Street") {
		k.left = k.w.snapshot()
	}
	k.desk.Notify(b)
}

// Killed just before a banner is shown: where banners are all that is told it is shown
// after the start, and where there is mail it is not shown twice.
func TestKilledBeforeABanner(t *testing.T) {
	for name, again := range map[string]bool{"banners alone": true, "with mail": false} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				if again {
					w.settings.Destinations = byBanner
				}
				k := &killer{desk: w.desk, w: w}
				w.notifier = k
				w.begun()
				w.with(home(21))
				w.cycle()
				w.stop()
				w.desk.take()
				if k.left == "" {
					t.Fatal("no banner")
				}
				w.dir, w.notifier = k.left, nil
				w.start()
				w.pass(20 * time.Minute)
				if got := len(w.desk.take()); (got == 1) != again {
					t.Errorf("%d banners after the kill", got)
				}
				if v := w.view(); v.Pending != 0 {
					t.Errorf("%d pending", v.Pending)
				}
			})
		})
	}
}

func TestStory45Bells(t *testing.T) {
	t.Run("quiet hours", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.settings.Quiet = monitor.QuietHours{From: 0, To: 7 * 60, Zone: time.UTC}
			w.begun()
			for n := 21; n <= 45; n++ {
				w.show(urlP, append(ids(1, 10), ids(21, n)...)...)
				w.pass(10 * time.Minute)
			}
			if got := w.desk.take(); len(got) != 0 {
				t.Errorf("banners %q in quiet hours", got)
			}
			w.pass(4 * time.Hour)
			if got := w.desk.take(); len(got) != 1 || !strings.HasPrefix(got[0], "25 new listings") {
				t.Errorf("banners %q after quiet hours", got)
			}
			w.pass(24 * time.Hour) // another night, with nothing in it
			w.show(urlP, append(ids(1, 10), ids(21, 50)...)...)
			w.cycle()
			if got := w.desk.take(); len(got) != 1 || got[0] != "5 new listings" {
				t.Errorf("banners %q on the day after", got)
			}
		})
	})
	t.Run("a restart in the signed-out view", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.begun()
			w.inbox.down()
			w.with(home(21))
			w.pass(10 * time.Minute)
			page := results(homes(ids(40, 50)...)...)
			page.View = monitor.SignedOutView
			w.portal.set(urlP, page)
			w.pass(10 * time.Minute)
			w.restart()
			w.pass(10 * time.Minute)
			w.inbox.up()
			w.pass(time.Hour)
			letters := w.inbox.take()
			if len(letters) != 1 || len(letters[0].Alerts) != 1 || letters[0].Alerts[0].Gone {
				t.Errorf("letters %+v", letters)
			}
		})
	})
}

// An afternoon with a clock of 2040 does not keep its alerts in the menu for ever.
func TestClockOf2040(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.begun()
		w.sleepFor(14 * 365 * 24 * time.Hour)
		w.cycles(2)
		for n := 21; n <= 24; n++ {
			w.show(urlP, append(ids(1, 10), ids(21, n)...)...)
			w.cycle()
		}
		w.sleepFor(-14 * 365 * 24 * time.Hour)
		w.cycles(2)
		for n := 25; n <= 36; n++ {
			w.show(urlP, append(ids(1, 10), ids(21, n)...)...)
			w.cycle()
		}
		w.restart()
		w.cycle()
		var shown []string
		for _, a := range w.view().Recent {
			shown = append(shown, a.Listing.ID)
		}
		if want := strings.Fields("36 35 34 33 32 31 30 29 28 27"); !slices.Equal(shown, want) {
			t.Errorf("the menu has %q, want %q", shown, want)
		}
	})
}

// Two hundred homes at once are told in letters that are shown whole, and a server with
// a limit gets letters that fit.
func TestTwoHundredHomesAtOnce(t *testing.T) {
	for name, limit := range map[string]int{"no limit": 1000, "room for ten": 10} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				o := w.office(ana)
				o.decide(func(l monitor.Letter) fate {
					if len(l.Alerts) > limit {
						return fate{before: errSize}
					}
					return fate{}
				})
				w.seldom(5 * time.Minute)
				w.search("P", urlP)
				w.show(urlP, ids(1, 100)...)
				w.start()
				w.cycles(2)
				w.show(urlP, ids(1, 300)...)
				w.pass(time.Hour)
				o.mu.Lock()
				letters := len(o.arrived)
				for _, l := range o.arrived {
					if len(l.Alerts) > 35 || l.Plain {
						t.Errorf("a letter with %d homes, plain: %v", len(l.Alerts), l.Plain)
					}
				}
				o.mu.Unlock()
				if most := 200/min(limit/2, 35) + 4; letters > most {
					t.Errorf("%d letters, want %d at most", letters, most)
				}
				if got := o.mailbox(ana); len(got) != 200 {
					t.Errorf("%d homes were told", len(got))
				}
			})
		})
	}
}
