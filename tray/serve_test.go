package tray

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// recorder is a set of actions that writes down what was asked for.
type recorder struct {
	mu    sync.Mutex
	calls []string
}

func (r *recorder) add(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, s)
}

func (r *recorder) actions() Actions {
	say := func(s string) func() { return func() { r.add(s) } }
	with := func(s string) func(string) { return func(arg string) { r.add(s + " " + arg) } }
	return Actions{
		CheckNow: say("check"), Resume: say("resume"), EditSearches: say("edit"), OpenLog: say("log"),
		Report: say("report"), TestMail: say("test"), SetUpMail: say("set up"), MarkSeen: say("seen"), Quit: say("quit"),
		PauseSearch:  func(url string, paused bool) { r.add(fmt.Sprint("pause ", url, " ", paused)) },
		StartAtLogin: func(on bool) { r.add(fmt.Sprint("at login ", on)) },
		SendReply:    with("send"), SkipReply: with("skip"), AllowReplies: say("allow"),
		Open: with("open"), SignIn: with("sign in"),
		Pause: func(until time.Time) { r.add("pause " + until.Format("2 15:04")) },
	}
}

func TestEveryVerbReachesItsAction(t *testing.T) {
	var r recorder
	tray := New(Options{Actions: r.actions()})
	for _, a := range []Action{
		{Verb: CheckNow}, {Verb: Pause}, {Verb: PauseHour}, {Verb: PauseTomorrow}, {Verb: Resume},
		{Verb: EditSearches}, {Verb: OpenLog}, {Verb: Report}, {Verb: TestMail}, {Verb: SetUpMail}, {Verb: MarkSeen},
		{Open, "https://x.example/"}, {SignIn, "x.example"}, {PauseSearch, "a"}, {ResumeSearch, "b"}, {SendReply, "c"}, {SkipReply, "d"}, {Verb: AllowReplies}, {Verb: StartAtLogin}, {Verb: StopAtLogin}, {Verb: Quit}, {Verb: Nothing},
	} {
		tray.do(a, noon)
	}
	want := []string{
		"check", "pause 1 00:00", "pause 30 13:00", "pause 1 07:00", "resume", "edit", "log", "report", "test", "set up",
		"seen", "open https://x.example/", "sign in x.example", "pause a true", "pause b false", "send c", "skip d", "allow", "at login true", "at login false", "quit",
	}
	if !slices.Equal(r.calls, want) {
		t.Errorf("called %q, want %q", r.calls, want)
	}
	if n := reflect.TypeFor[Actions]().NumField(); n != len(want)-4 { // pause is asked for in three ways, two others in two
		t.Errorf("%d actions, and %d were tried", n, len(want)-4)
	}
}

// An action that is not offered does nothing, also for a click that comes anyway.
func TestMissingActionsDoNothing(t *testing.T) {
	tray := New(Options{})
	for _, it := range flatten(Menu(sample(noon), noon, Offer{Mail: true, SignIn: true}).Items) {
		tray.do(it.Do, noon)
	}
}

func TestClicksAreServedInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		clicks := make(chan Action, 32)
		go New(Options{Actions: r.actions()}).serve(ctx, clicks)
		for _, v := range []Verb{Pause, Resume, CheckNow, Pause} {
			send(clicks, Action{Verb: v})
		}
		synctest.Wait()
		if want := []string{"pause 1 00:00", "resume", "check", "pause 1 00:00"}; !slices.Equal(r.calls, want) {
			t.Errorf("called %q, want %q", r.calls, want)
		}
	})
}

// A test email may take half a minute. It holds up nothing, and impatience sends
// no second one.
func TestTestMailRunsAloneAndOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		a := r.actions()
		a.TestMail = func() {
			r.add("test")
			time.Sleep(30 * time.Second) // the bubble's time
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		clicks := make(chan Action, 32)
		go New(Options{Actions: a}).serve(ctx, clicks)
		for _, v := range []Verb{TestMail, TestMail, CheckNow, TestMail, Report} {
			send(clicks, Action{Verb: v})
		}
		synctest.Wait()
		if want := []string{"check", "report", "test"}; !slices.Equal(slices.Sorted(slices.Values(r.calls)), want) {
			t.Errorf("called %q, want %q", r.calls, want)
		}
		time.Sleep(31 * time.Second)
		send(clicks, Action{Verb: TestMail})
		synctest.Wait()
		if n := len(r.calls); n != 4 {
			t.Errorf("after the first test email had ended: %d calls, want 4", n)
		}
		time.Sleep(31 * time.Second)
	})
}

func TestShowNeverBlocksAndKeepsTheNewest(t *testing.T) {
	tray := New(Options{})
	for i := range 1000 {
		v := sample(noon)
		v.Unseen = i
		tray.Show(v)
	}
	if got := (<-tray.views).Unseen; got != 999 {
		t.Errorf("view %d was kept, want the newest", got)
	}
}
