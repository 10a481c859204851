package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"notifio.app/notifio/assets/demo"
	"notifio.app/notifio/config"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/deliver"
	"notifio.app/notifio/monitor/store"
	"notifio.app/notifio/tray"
)

// app is a running Notifio with all its parts.
type app struct {
	sys    system
	place  place
	how    manner
	log    *slog.Logger
	ctx    context.Context // ends with the program
	stop   context.CancelFunc
	ledger *store.Store
	// journal is nil where it cannot be had: then nothing is replied to.
	journal *store.Journal
	notes   []string // what was wrong with the ledger
	seat    *seat
	mon     *monitor.Monitor
	teller  *deliver.Teller
	viewing sync.Mutex // held while a view is put together and shown
	desk    *tray.Notifier
	demo    func() *demo.Server
	post    atomic.Pointer[post]
	latest  atomic.Pointer[monitor.View]
	faces   []face
	shown   bool // there was a tray for the icon at the start
	work    sync.WaitGroup
}

// face is where views are shown.
type face interface{ Show(monitor.View) }

func (s system) newApp(ctx context.Context, p place, c config.Config, log *slog.Logger, how manner) (*app, error) {
	a := &app{sys: s, place: p, how: how, log: log}
	a.ctx, a.stop = context.WithCancel(ctx)
	opened, err := store.Open(a.ctx, p.data, time.Now())
	if err != nil {
		return nil, err
	}
	a.ledger, a.notes = opened.Store, opened.Notes
	a.demo = sync.OnceValue(a.serveDemo)
	a.desk = tray.NewNotifier(tray.NotifierOptions{Log: log, Open: a.open})
	a.seat = newSeat(a, c)
	mail, err := s.newPost(c, p)
	if err != nil {
		return nil, err
	}
	a.post.Store(&mail)
	a.latest.Store(&monitor.View{})
	a.teller = deliver.New(deliver.Options{
		Settings: mail.settings(c), Ledger: a.ledger, Notifier: a.desk, Log: log, Timing: s.timing, Wall: time.Now,
		Publish: a.publishTold, Report: func(trouble string) { a.mon.Report("mail", trouble) }, Told: func() { a.mon.Wake() },
	})
	o := monitor.Options{
		Settings: mail.settings(c), Memory: opened.Memory, Checker: a.seat, Ledger: a.ledger,
		Teller: a.teller, Log: log, Publish: a.publish, MailLookup: a.lookUpMail,
		Timing: s.timing, Once: how.once, AtLogin: how.atLogin,
	}
	kept, err := a.openJournal(opened)
	switch {
	case err != nil && len(c.Replies) > 0:
		a.notes = append(a.notes, "No reply is sent: "+err.Error())
	case err != nil:
		log.Warn("No reply could be sent", "reason", err)
	case !how.once:
		o.Replier, o.Journal, o.Replied, o.HoldReplies = a.seat, a.journal, kept.Entries, kept.Held
	}
	a.mon = monitor.NewMonitor(o)
	return a, nil
}

// run watches until the user quits or the program is told to end.
func (a *app) run(conf config.Config, bad error) {
	a.place.listen(a.ctx, a.log, a.hear)
	a.choose()
	a.greet(bad)
	a.beside(func() { a.desk.Run(a.ctx) })
	a.beside(a.warmUp)
	a.beside(a.renewLogin)
	a.beside(a.tendLedger)
	a.beside(func() { a.follow(conf, bad) })
	for _, note := range a.notes {
		a.mon.Report("saved data", note)
	}
	if bad != nil {
		a.mon.Report("configuration", firstLine(bad))
	}
	for _, w := range conf.Warnings {
		a.log.Warn(w.Error())
	}
	a.beside(func() { a.teller.Run(a.ctx) })
	a.mon.Run(a.ctx)
	a.stop()
}

// warmUp gets the browser ready. Then a first check that came too early is repeated
// at once, but not after a login: there nobody waits for it.
func (a *app) warmUp() {
	a.seat.start(a.ctx)
	if !a.how.atLogin {
		a.mon.CheckNow()
	}
}

func (a *app) beside(f func()) { a.work.Go(f) }

// close ends every part, in the order in which they need each other.
func (a *app) close() {
	a.stop()
	a.seat.close()
	a.work.Wait()
	if a.journal != nil {
		a.journal.Close()
	}
	if err := a.ledger.Close(); err != nil {
		a.log.Warn("Closing the saved data", "reason", err)
	}
}

// choose picks the faces: the icon, which appears as soon as a panel can show
// it, and the terminal where no panel does.
func (a *app) choose() {
	reason := "asked for with --terminal"
	if !a.how.terminal {
		icon := tray.New(tray.Options{
			Actions: a.actions(), Log: a.log, Version: version(),
			HasMail: func() bool { return a.post.Load().server }, StartsAtLogin: a.startsAtLogin(),
		})
		a.faces = append(a.faces, icon)
		a.beside(func() {
			if err := icon.Run(a.ctx); err != nil {
				a.log.Warn("The tray icon is gone", "reason", err)
			}
		})
		if a.shown, reason = tray.Available(a.ctx); a.shown {
			fmt.Fprintln(a.sys.stdout, "Notifio is in the system tray. Its activity log is "+a.place.logFile())
			return
		}
	}
	terminal := tray.NewTerminal(a.sys.stdout, tray.TerminalOptions{Reason: reason, MailFolder: a.post.Load().folder})
	a.faces = append(a.faces, terminal)
	a.beside(func() { terminal.Run(a.ctx) })
}

// publish and publishTold put together what the machines publish, and show it.
func (a *app) publish(v monitor.View) {
	a.viewing.Lock()
	defer a.viewing.Unlock()
	v.Deliveries = a.latest.Load().Deliveries
	a.show(v)
}

func (a *app) publishTold(d monitor.Deliveries) {
	a.viewing.Lock()
	defer a.viewing.Unlock()
	v := *a.latest.Load()
	v.Deliveries = d
	if v.Phase == "" { // the monitor has not begun
		a.latest.Store(&v)
		return
	}
	a.show(v)
}

func (a *app) show(v monitor.View) {
	a.latest.Store(&v)
	for _, f := range a.faces {
		f.Show(v)
	}
}

func (a *app) lookUpMail(ctx context.Context) error {
	if lookup := a.post.Load().lookup; lookup != nil {
		return lookup(ctx)
	}
	return errors.New("no mail server to ask")
}

// follow takes over each good state of the configuration file.
func (a *app) follow(conf config.Config, bad error) {
	config.Watcher{
		File: a.place.config, Good: conf, Trouble: bad, Log: a.log,
		Changed: a.reconfigure,
		Failed: func(err error) {
			a.mon.Report("configuration", firstLine(err)+". The searches go on as before")
		},
	}.Run(a.ctx)
}

func (a *app) reconfigure(c config.Config) {
	mail, err := a.sys.newPost(c, a.place)
	if err != nil {
		a.mon.Report("configuration", err.Error())
		return
	}
	a.post.Store(&mail)
	a.seat.change(a.ctx, c)
	a.mon.Report("configuration", "")
	a.mon.Reload(mail.settings(c))
	a.teller.Reload(mail.settings(c))
	for _, w := range c.Warnings {
		a.log.Warn(w.Error())
	}
}

// firstLine is the first mistake of a file, and how many more there are.
func firstLine(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	if more := len(lines) - 1; more > 0 {
		return fmt.Sprintf("%s (and %d more)", lines[0], more)
	}
	return lines[0]
}

// hear acts on the words of another Notifio. Where that waits for the end of it, end
// is what brings it about.
func (a *app) hear(said string) (end func() (string, error)) {
	switch word, arg, _ := strings.Cut(said, " "); word {
	case showYourself:
		a.desk.Notify(running(a.place, a.shown, runtime.GOOS))
		a.log.Info("Started a second time: already running")
	case retryMail:
		a.teller.RetryMail()
	case signInWord:
		return func() (string, error) { return "", a.signInTo(arg) }
	case dryRunWord:
		return func() (string, error) { return a.tryReply(arg) }
	}
	return nil
}
