package tray

import (
	"context"
	"time"
)

// serve carries out clicks in their order, away from the goroutine that draws.
func (t *Tray) serve(ctx context.Context, clicks <-chan Action) {
	busy := map[Verb]chan struct{}{ // each holds a token while its verb is at work
		TestMail: make(chan struct{}, 1),
		Report:   make(chan struct{}, 1),
	}
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-clicks:
			token, slow := busy[a.Verb]
			if !slow {
				t.do(a, time.Now())
				offer(t.changed, struct{}{})
				continue
			}
			select {
			case token <- struct{}{}:
				go func() {
					defer func() { <-token }()
					t.do(a, time.Now())
				}()
			default:
			}
		}
	}
}

// do calls the function that a stands for.
func (t *Tray) do(a Action, now time.Time) {
	call := func(f func()) {
		if f != nil {
			f()
		}
	}
	with := func(f func(string)) {
		if f != nil {
			f(a.Arg)
		}
	}
	pause := func(until time.Time) {
		if t.o.Actions.Pause != nil {
			t.o.Actions.Pause(until)
		}
	}
	x := t.o.Actions
	switch a.Verb {
	case CheckNow:
		call(x.CheckNow)
	case Pause:
		pause(time.Time{})
	case PauseHour:
		pause(now.Add(time.Hour))
	case PauseTomorrow:
		pause(tomorrow(now))
	case Resume:
		call(x.Resume)
	case PauseSearch, ResumeSearch:
		if x.PauseSearch != nil {
			x.PauseSearch(a.Arg, a.Verb == PauseSearch)
		}
	case EditSearches:
		call(x.EditSearches)
	case OpenLog:
		call(x.OpenLog)
	case Report:
		call(x.Report)
	case TestMail:
		call(x.TestMail)
	case SetUpMail:
		call(x.SetUpMail)
	case MarkSeen:
		call(x.MarkSeen)
	case Open:
		with(x.Open)
	case SignIn:
		with(x.SignIn)
	case SendReply:
		with(x.SendReply)
	case SkipReply:
		with(x.SkipReply)
	case AllowReplies:
		call(x.AllowReplies)
	case StartAtLogin, StopAtLogin:
		if x.StartAtLogin != nil {
			x.StartAtLogin(a.Verb == StartAtLogin)
		}
	case Quit:
		call(x.Quit)
	}
}
