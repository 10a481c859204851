package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"notifio.app/notifio/config"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/tray"
)

// manner is how Notifio is to run.
type manner struct {
	once     bool // for a single cycle
	terminal bool // without an icon
	atLogin  bool // started by the system and not by hand
}

// watch is Notifio without a command: the monitor with its tray, or in the
// terminal where there is none.
func (s system) watch(ctx context.Context, p place, how manner) int {
	unlock, free := p.lock()
	if !free {
		return s.secondStart(p)
	}
	defer unlock()
	log, file := p.log()
	defer file.Close()
	log.Info("Notifio starts", "version", version())

	conf, bad := s.load(p)
	if bad != nil {
		s.fail(bad)
		conf = config.Default()
	}
	a, err := s.newApp(ctx, p, conf, log, how)
	if err != nil {
		log.Error(err.Error())
		sayOnce(ctx, log, monitor.Banner{Title: "Notifio cannot start", Body: err.Error()})
		return s.fail(err)
	}
	defer a.close()
	a.run(conf, bad)
	log.Info("Notifio ends")
	return exitFine
}

// sayOnce shows a banner of a program that ends: who started it from a menu sees nothing
// else.
func sayOnce(ctx context.Context, log *slog.Logger, b monitor.Banner) {
	const patience = 3 * time.Second // which the desktop's service has for a banner
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	desk := tray.NewNotifier(tray.NotifierOptions{Log: log, Open: func(string) error { return nil }})
	desk.Notify(b)
	_ = desk.Run(ctx)
}

// secondStart makes the Notifio that is running show itself.
func (s system) secondStart(p place) int {
	fmt.Fprintln(s.stdout, "Notifio is running already, in the system tray or in a terminal; `notifio --help` has the commands.")
	p.tell(showYourself)
	return exitFine
}

// one runs a single cycle and returns what it has shown in the end.
func (s system) one(ctx context.Context, p place, c config.Config) (monitor.View, error) {
	log, file := p.log()
	defer file.Close()
	a, err := s.newApp(ctx, p, c, log, manner{once: true})
	if err != nil {
		return monitor.View{}, err
	}
	defer a.close()
	if err := a.seat.start(a.ctx); err != nil {
		return monitor.View{}, err
	}
	a.beside(func() { a.teller.Run(a.ctx) })
	a.mon.Run(a.ctx)
	a.teller.Finish(a.ctx)
	return *a.latest.Load(), ctx.Err()
}
