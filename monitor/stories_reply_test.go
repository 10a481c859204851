package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/monitor"
)

// landlord is the site's side of replies, and the journal on disk, which outlives a
// restart of the monitor.
type landlord struct {
	mu      sync.Mutex
	got     []string    // ids, as they were sent
	at      []time.Time // when the work on each began
	tried   []string    // dry runs
	took    time.Duration
	stuck   time.Duration // between the click and the confirmation
	result  map[string]monitor.ReplyResult
	err     error
	entries []monitor.ReplyEntry
	held    bool
	full    error // of the disk
}

func (l *landlord) Reply(ctx context.Context, job monitor.ReplyJob, seal func() error) (monitor.ReplyResult, error) {
	l.mu.Lock()
	l.at = append(l.at, time.Now())
	result, planned, err := l.result[job.Listing.ID], false, l.err
	_, planned = l.result[job.Listing.ID]
	took, stuck := l.took, l.stuck
	l.mu.Unlock()
	select {
	case <-time.After(took):
	case <-ctx.Done():
		return monitor.ReplyResult{}, ctx.Err()
	}
	if err != nil {
		return monitor.ReplyResult{}, err
	}
	if planned && result.Outcome != monitor.ReplyUnconfirmed {
		return result, nil
	}
	if job.DryRun {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.tried = append(l.tried, job.Listing.ID)
		return monitor.ReplyResult{Outcome: monitor.ReplyPrepared, Picture: "form.png"}, nil
	}
	if err := seal(); err != nil {
		return monitor.ReplyResult{}, err
	}
	l.mu.Lock()
	l.got = append(l.got, job.Listing.ID)
	l.mu.Unlock()
	time.Sleep(stuck)
	if planned {
		return result, nil
	}
	return monitor.ReplyResult{Outcome: monitor.ReplyConfirmed}, nil
}

func (l *landlord) Write(e monitor.ReplyEntry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.full != nil {
		return l.full
	}
	l.entries = append(l.entries, e)
	return nil
}

func (l *landlord) received() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.got)
}

// begun is how many replies have been begun.
func (l *landlord) begun() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.at)
}

func (l *landlord) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

// events are what the journal says of a listing, in order.
func (l *landlord) events(id string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, e := range l.entries {
		if e.Key == "site:"+id {
			out = append(out, string(e.Event))
		}
	}
	return strings.Join(out, " ")
}

func (w *world) recipe(mode monitor.ReplyMode) *monitor.Recipe {
	w.landlord = &landlord{took: 3 * time.Second, result: map[string]monitor.ReplyResult{}}
	w.settings.Recipes = []monitor.Recipe{{
		Name: "site", Host: "site.example", Message: "Hello {{.Title}}", Mode: mode, DailyLimit: 5,
		Steps:      []monitor.Step{{Do: monitor.Fill, At: "#m", With: "{{.Message}}"}, {Do: monitor.Submit, At: "#send"}},
		DelayLeast: 20 * time.Second, DelayMost: 90 * time.Second,
	}}
	return &w.settings.Recipes[0]
}

func replies(s *monitor.Search) { s.Reply = "site" }

const urlSite = "https://site.example/search"

// replyWorld is watching one search with twenty homes and a recipe.
func replyWorld(w *world, mode monitor.ReplyMode, edit ...func(*monitor.Recipe)) {
	r := w.recipe(mode)
	for _, e := range edit {
		e(r)
	}
	w.search("R", urlSite, replies)
	w.show(urlSite, ids(1, 20)...)
	w.start()
	w.cycles(2)
}

func TestReplyFollowsItsAlertAfterADelay(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		replyWorld(w, monitor.Send)
		w.show(urlSite, ids(1, 21)...)
		w.cycle()
		found := time.Now()
		w.told("21")
		w.pass(19 * time.Second)
		if got := w.landlord.received(); len(got) > 0 {
			t.Errorf("after 19 s: %v", got)
		}
		w.pass(80 * time.Second)
		if got := w.landlord.received(); !slices.Equal(got, []string{"21"}) {
			t.Fatalf("replied to %v\n%s", got, w.lines.tail())
		}
		if wait := w.landlord.at[0].Sub(found); wait < 18*time.Second || wait > 95*time.Second {
			t.Errorf("it waited %v", wait)
		}
		if events := w.landlord.events("21"); events != "queued about sent" {
			t.Errorf("journal: %s", events)
		}
		v := w.view()
		if len(v.Replies) != 1 || v.Replies[0].Event != monitor.ReplySent || v.Replies[0].Text != "Hello Home 21" {
			t.Errorf("shown: %+v", v.Replies)
		}
		w.pass(12 * time.Minute)
		if got := w.landlord.received(); len(got) != 1 {
			t.Errorf("replied to %v", got)
		}
	})
}

// The checks of a host may take longer than an interval, so that some of them always
// wait: a reply takes its turn between two of them.
func TestReplyGoesBetweenChecksThatNeverEnd(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		for n := range 14 {
			url := fmt.Sprintf("https://site.example/other/%d", n)
			w.search(fmt.Sprintf("S%d", n), url)
			w.show(url, ids(1, 20)...)
			w.portal.slow(url, 3*time.Second, true)
		}
		replyWorld(w, monitor.Send, func(r *monitor.Recipe) { r.DelayLeast, r.DelayMost = 0, 0 })
		w.show(urlSite, ids(1, 21)...)
		w.pass(2 * time.Minute) // the next cycle has begun in any case
		if n := w.landlord.begun(); n != 1 {
			t.Fatalf("%d replies begun\n%s", n, w.lines.tail())
		}
		if wait := w.landlord.at[0].Sub(w.view().Recent[0].Found); wait > 10*time.Second {
			t.Errorf("the reply waited %v", wait)
		}
	})
}

// Nobody knows of the listing: no banner in quiet hours, and the mail is down.
func TestNoReplyBeforeTheListingIsTold(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Banners = false
		replyWorld(w, monitor.Send)
		w.inbox.down()
		w.show(urlSite, ids(1, 21)...)
		w.cycle()
		w.pass(10 * time.Minute)
		if got := w.landlord.received(); len(got) > 0 {
			t.Errorf("replied to %v before it was told", got)
		}
		w.inbox.up()
		w.pass(12 * time.Minute)
		if got := w.landlord.received(); len(got) != 1 {
			t.Errorf("replied to %v after it was told", got)
		}
	})
}

func TestTenListingsAndALimitOfThree(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		replyWorld(w, monitor.Send, func(r *monitor.Recipe) { r.DailyLimit = 3 })
		w.show(urlSite, ids(1, 30)...)
		w.pass(12 * time.Minute)
		if got := w.landlord.received(); len(got) != 3 {
			t.Errorf("replied to %v, want three", got)
		}
		w.restart()
		w.cycles(2)
		w.show(urlSite, ids(1, 31)...)
		w.pass(12 * time.Minute)
		if got := w.landlord.received(); len(got) != 3 {
			t.Errorf("after a restart: %v, want three", got)
		}
		w.sleepFor(24 * time.Hour)
		w.show(urlSite, ids(1, 32)...)
		w.pass(12 * time.Minute)
		if got := w.landlord.received(); len(got) != 4 || got[3] != "32" {
			t.Errorf("on the next day: %v, want one more", got)
		}
	})
}

func TestTwoSearchesReplyOnceToAListing(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("S", "https://site.example/other", replies)
		w.show("https://site.example/other", ids(1, 20)...)
		replyWorld(w, monitor.Send)
		w.show(urlSite, ids(1, 21)...)
		w.show("https://site.example/other", ids(1, 21)...)
		w.pass(12 * time.Minute)
		w.restart()
		w.pass(12 * time.Minute)
		if got := w.landlord.received(); len(got) != 1 {
			t.Errorf("replied to %v", got)
		}
	})
}

// The program ends between the click and the confirmation, and during the delay.
func TestCrashNeverSendsTwiceAndNeverForgets(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		replyWorld(w, monitor.Send)
		w.landlord.set(func() { w.landlord.stuck = 10 * time.Minute })
		w.show(urlSite, ids(1, 21)...)
		w.pass(2 * time.Minute)
		if events := w.landlord.events("21"); events != "queued about" {
			t.Fatalf("journal: %s", events)
		}
		w.restart()
		w.landlord.set(func() { w.landlord.stuck = 0 })
		w.show(urlSite, ids(1, 22)...)
		w.cycle()
		w.pass(5 * time.Second) // in the delay of the second
		w.restart()
		w.pass(15 * time.Minute)
		if got := w.landlord.received(); !slices.Equal(got, []string{"21", "22"}) {
			t.Errorf("replied to %v", got)
		}
	})
}

func TestThreeFailuresSwitchARecipeOffUntilItIsEdited(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		replyWorld(w, monitor.Send)
		for n := 21; n <= 40; n++ {
			w.landlord.set(func() {
				w.landlord.result[fmt.Sprint(n)] = monitor.ReplyResult{Outcome: monitor.ReplyStopped, Reason: "the field #m is not there"}
			})
		}
		for n := 21; n <= 24; n++ {
			w.show(urlSite, ids(1, n)...)
			w.pass(5 * time.Minute)
		}
		if n := w.landlord.begun(); n != 3 {
			t.Errorf("%d tries, want three", n)
		}
		if said := w.desk.take(); !slices.ContainsFunc(said, func(s string) bool { return s == "Replies are not sent" }) {
			t.Errorf("banners %q", said)
		}
		if v := w.view(); !v.RepliesStopped || len(v.Troubles) != 1 || !strings.Contains(v.Troubles[0].Text, "site") {
			t.Errorf("%v %+v", v.RepliesStopped, v.Troubles)
		}
		w.restart()
		if v := w.view(); !v.RepliesStopped {
			t.Error("a restart has switched it on again")
		}
		w.settings.Recipes = slices.Clone(w.settings.Recipes)
		w.settings.Recipes[0].Steps = []monitor.Step{{Do: monitor.Fill, At: "#new", With: "{{.Message}}"}, {Do: monitor.Submit, At: "#send"}}
		w.reload()
		w.landlord.set(func() { w.landlord.result = nil })
		w.show(urlSite, ids(1, 25)...)
		w.pass(5 * time.Minute)
		if got := w.landlord.received(); !slices.Equal(got, []string{"25"}) || w.view().RepliesStopped {
			t.Errorf("after the edit: %v", got)
		}
	})
}

func TestAskWaitsForTheClick(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		replyWorld(w, monitor.Ask)
		w.show(urlSite, ids(1, 22)...)
		w.pass(10 * time.Minute)
		v := w.view()
		if len(v.Asks) != 2 || len(w.landlord.received()) > 0 {
			t.Fatalf("asks %+v, sent %v", v.Asks, w.landlord.received())
		}
		w.mon.SkipReply("site:21")
		w.mon.SendReply("site:22")
		w.pass(time.Minute)
		if got := w.landlord.received(); !slices.Equal(got, []string{"22"}) || len(w.view().Asks) > 0 {
			t.Errorf("sent %v, asks %+v", got, w.view().Asks)
		}
		if events := w.landlord.events("21"); events != "queued skipped" {
			t.Errorf("skipped: %s", events)
		}
	})
}

func TestDryRunSendsNothing(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		replyWorld(w, monitor.DryRun)
		w.show(urlSite, ids(1, 21)...)
		w.pass(10 * time.Minute)
		if got := w.landlord.received(); len(got) > 0 || !slices.Equal(w.landlord.tried, []string{"21"}) {
			t.Errorf("sent %v, tried %v", got, w.landlord.tried)
		}
		if v := w.view(); len(v.Replies) != 1 || v.Replies[0].Event != monitor.ReplyTried || v.Replies[0].Picture == "" {
			t.Errorf("shown: %+v", v.Replies)
		}
	})
}

// The host refuses a check while a reply is being filled in, and then the reply
// itself: it is put off, the checks are not asked of more than the ladder allows,
// and it is sent in the end.
func TestReplyWaitsWhileItsHostRefuses(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		replyWorld(w, monitor.Send)
		w.landlord.set(func() {
			w.landlord.result["21"] = monitor.ReplyResult{Outcome: monitor.ReplyRefused, Status: 429, RetryAfter: 10 * time.Minute}
		})
		w.show(urlSite, ids(1, 21)...)
		w.pass(2 * time.Minute)
		if row := w.row("R"); row.State != monitor.RowHeld || w.landlord.begun() != 1 {
			t.Fatalf("%+v after %d tries", row, w.landlord.begun())
		}
		w.landlord.set(func() { delete(w.landlord.result, "21") })
		w.pass(7 * time.Minute)
		if n := w.landlord.begun(); n != 1 {
			t.Errorf("%d tries while the host is left alone", n)
		}
		w.landlord.set(func() { w.landlord.took = time.Minute })
		for range 600 { // until the probe has passed, and the form is being filled in
			if w.landlord.begun() == 2 {
				break
			}
			w.pass(time.Second)
		}
		w.portal.set(urlSite, refused(0))
		w.pass(3 * time.Minute)
		w.landlord.set(func() { w.landlord.took = time.Second })
		w.show(urlSite, ids(1, 21)...)
		w.pass(20 * time.Minute)
		if got := w.landlord.received(); len(got) != 1 {
			t.Errorf("replied to %v\n%s", got, w.lines.tail())
		}
	})
}

func TestHeldRepliesWaitForTheUsersClick(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.recipe(monitor.Send)
		held := w.landlord
		held.held = true
		w.search("R", urlSite, replies)
		w.show(urlSite, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.show(urlSite, ids(1, 21)...)
		w.pass(12 * time.Minute)
		if got := held.received(); len(got) > 0 || !w.view().RepliesStopped {
			t.Fatalf("sent %v", got)
		}
		w.mon.AllowReplies()
		w.pass(5 * time.Minute)
		if got := held.received(); len(got) != 1 || w.view().RepliesStopped {
			t.Errorf("sent %v", got)
		}
	})
}

// What is not written down is not sent.
func TestFullDiskSendsNothing(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		replyWorld(w, monitor.Send)
		w.show(urlSite, ids(1, 21)...)
		w.cycle()
		w.landlord.mu.Lock()
		w.landlord.full = errors.New("no space left on device")
		w.landlord.mu.Unlock()
		w.pass(12 * time.Minute)
		if got := w.landlord.received(); len(got) > 0 || !w.view().RepliesStopped {
			t.Errorf("sent %v", got)
		}
	})
}

func TestListingThatBecameTooDearIsNotRepliedTo(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.recipe(monitor.Send).DelayLeast = 80 * time.Second
		w.search("R", urlSite, replies, maxPrice(1100))
		w.show(urlSite, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.show(urlSite, ids(1, 21)...)
		w.cycle()
		w.portal.set(urlSite, results(append(homes(ids(1, 20)...), homeAt(21, 1500))...))
		w.pass(10 * time.Minute)
		if got := w.landlord.received(); len(got) > 0 {
			t.Errorf("sent %v", got)
		}
		if said := w.desk.take(); !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, "No reply to") }) {
			t.Errorf("banners %q", said)
		}
	})
}

// A sign-in window waits for a reply that is about to be sent, and cuts one short
// that is not; that one follows.
func TestSignInWaitsForAReplyThatIsSent(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		replyWorld(w, monitor.Send, func(r *monitor.Recipe) { r.DelayLeast, r.DelayMost = 40*time.Second, 40*time.Second })
		w.landlord.set(func() { w.landlord.stuck = 2 * time.Minute })
		w.show(urlSite, ids(1, 21)...)
		for len(w.landlord.received()) == 0 {
			w.pass(time.Second)
		}
		win := w.signIn("site.example")
		w.pass(time.Minute)
		if passedBy(win.opened) {
			t.Fatal("the window opened beside a reply that was being sent")
		}
		<-win.opened
		if events := w.landlord.events("21"); events != "queued about sent" {
			t.Errorf("journal: %s", events)
		}
		close(win.close)
		<-win.done
		w.landlord.set(func() { w.landlord.took, w.landlord.stuck = time.Minute, 0 })
		w.cycle()
		w.show(urlSite, ids(1, 22)...)
		for w.landlord.begun() < 2 {
			w.pass(time.Second)
		}
		win = w.signIn("site.example")
		synctest.Wait()
		if !passedBy(win.opened) {
			t.Fatal("the window waits for a reply that is not sent yet")
		}
		close(win.close)
		w.pass(10 * time.Minute)
		if got := w.landlord.received(); !slices.Equal(got, []string{"21", "22"}) {
			t.Errorf("sent %v", got)
		}
	})
}
