package main

import (
	"strings"

	"notifio.app/notifio/assets/demo"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/tray"
)

// actions are what the menu can ask for.
func (a *app) actions() tray.Actions {
	return tray.Actions{
		CheckNow: a.mon.CheckNow, Pause: a.mon.Pause, Resume: a.mon.Resume, MarkSeen: a.teller.MarkSeen,
		PauseSearch:  a.mon.PauseSearch,
		EditSearches: func() { a.openFile(a.place.config) },
		SetUpMail:    a.setUpMail,
		StartAtLogin: a.startAtLogin,
		OpenLog:      func() { a.openFile(a.place.logFile()) },
		Report:       func() { a.beside(a.report) },
		Open: func(url string) {
			if err := a.open(url); err != nil {
				a.log.Warn("Nothing opens the page", "url", url, "reason", err)
			}
		},
		SignIn:    a.signIn,
		SendReply: a.mon.SendReply, SkipReply: a.mon.SkipReply, AllowReplies: a.mon.AllowReplies,
		TestMail: a.testMail,
		Quit:     a.stop,
	}
}

func (a *app) open(url string) error {
	if strings.HasPrefix(url, "demo:") {
		url = a.demoURL(url)
	}
	return tray.OpenURL(url)
}

func (a *app) testMail() {
	b := monitor.Banner{Title: "The test email is out"}
	said, err := a.post.Load().test(a.ctx)
	b.Body = said
	if err != nil {
		b = monitor.Banner{Title: "The test email failed", Body: err.Error()}
	} else {
		a.teller.RetryMail()
	}
	a.desk.Notify(b)
	a.log.Info(b.Title, "said", b.Body)
}

// serveDemo starts the demo portal when a search first asks for it.
func (a *app) serveDemo() *demo.Server {
	server, err := demo.Serve(a.ctx, a.log)
	if err != nil {
		a.log.Warn("The demo portal cannot be served", "reason", err)
		return nil
	}
	return server
}

func (a *app) demoURL(url string) string {
	if server := a.demo(); server != nil {
		return server.URL(url)
	}
	return url
}
