package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"notifio.app/notifio/config"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
	"notifio.app/notifio/report"
	"notifio.app/notifio/tray"
)

func (p place) reportFile() string { return filepath.Join(p.data, "report.html") }

// report is `notifio report`. It needs no lock: it only reads.
func (s system) report(ctx context.Context, p place, args []string) int {
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	stay := flags.Bool("no-open", false, "")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return s.wrong("report takes --no-open and nothing else")
	}
	c, err := config.Load(p.config)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.fail(fmt.Errorf("%s: searches go by their addresses in the report", firstLine(err)))
	}
	if err := p.writeReport(ctx, c.Searches, time.Now()); err != nil {
		return s.fail(err)
	}
	fmt.Fprintln(s.stdout, p.reportFile())
	if *stay {
		return exitFine
	}
	if err := tray.OpenFile(p.reportFile()); err != nil {
		s.fail(fmt.Errorf("the report is written, but nothing opens it here: %w", err))
	}
	return exitFine
}

// report is the menu's.
func (a *app) report() {
	if err := a.place.writeReport(a.ctx, a.seat.searches(), time.Now()); err != nil {
		if a.ctx.Err() == nil {
			a.desk.Notify(monitor.Banner{Title: "There is no report", Body: err.Error()})
			a.log.Warn("The report cannot be made", "reason", err)
		}
		return
	}
	a.openFile(a.place.reportFile())
}

// searches are those of the configuration that is in force.
func (s *seat) searches() []monitor.Search {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conf.Searches
}

// writeReport puts the page into the data folder, for the user alone: whole or
// not at all, so that a browser that has the last one open never sees half of it.
func (p place) writeReport(ctx context.Context, searches []monitor.Search, now time.Time) error {
	history, err := store.Read(ctx, p.data, now.AddDate(0, 0, -report.Days))
	if err != nil {
		return fmt.Errorf("read what Notifio remembers: %w", err)
	}
	part, err := os.CreateTemp(p.data, "report-*.part") // mode 0600
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	defer os.Remove(part.Name()) // there is none any more when all went well
	err = report.Write(part, report.Input{Now: now, Searches: searches, History: history, Version: version()})
	if err = errors.Join(err, part.Close()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if err := os.Rename(part.Name(), p.reportFile()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
