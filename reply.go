package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"notifio.app/notifio/browser"
	"notifio.app/notifio/config"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

// tryPatience is how long a dry run from the command line waits for what a step is about.
const tryPatience = 15 * time.Second

// reply is `notifio reply`: what was sent, or a dry run.
func (s system) reply(ctx context.Context, p place, args []string) int {
	flags := flag.NewFlagSet("reply", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	list, try := flags.Bool("list", false, ""), flags.String("dry-run", "", "")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 || *list == (*try != "") {
		return s.wrong("reply takes --list, or --dry-run and the address of a listing")
	}
	if *list {
		return s.listReplies(p)
	}
	unlock, free := p.lock()
	if !free {
		return s.askRunning(ctx, p, dryRunWord+" "+*try, "", "")
	}
	defer unlock()
	c, err := s.load(p)
	if err != nil {
		s.fail(err)
		return exitUsage
	}
	said, err := s.tryReply(ctx, p, c, *try)
	if err != nil {
		return s.fail(err)
	}
	fmt.Fprintln(s.stdout, said)
	return exitFine
}

// listReplies prints what was sent, and why the rest was not, the newest first.
func (s system) listReplies(p place) int {
	kept, err := store.ReadReplies(p.data)
	if err != nil {
		return s.fail(err)
	}
	rows := monitor.LastReplies(kept.Entries, len(kept.Entries))
	for _, r := range rows {
		fmt.Fprintf(s.stdout, "%s  %-8s %s\n  %s\n", r.At.Local().Format("2006-01-02 15:04"), r.Event, r.Title, r.URL)
		for _, more := range []string{r.Note, r.Picture, strings.Join(strings.Fields(r.Text), " ")} {
			if more != "" {
				fmt.Fprintln(s.stdout, "  "+more)
			}
		}
	}
	if len(rows) == 0 {
		fmt.Fprintln(s.stdout, "Nothing was sent yet.")
	}
	return exitFine
}

// tryReply makes a dry run with a browser of its own, and says where the picture is.
func (s system) tryReply(ctx context.Context, p place, c config.Config, url string) (string, error) {
	job, err := dryRunOf(c, monitor.Listing{URL: url}, s.remembered(ctx, p))
	if err != nil {
		return "", err
	}
	log, file := p.log()
	defer file.Close()
	profile, _ := p.workingProfile()
	b, err := browser.New(browser.Options{
		Executable: c.Browser.Executable, Headless: c.Browser.Headless, Endpoint: c.Browser.Endpoint,
		Profile: profile, Portals: c.Portals, Log: log, Limits: s.limits,
	})
	if err != nil {
		return "", err
	}
	defer closeBrowser(b)
	if err := b.Start(ctx); err != nil {
		return "", err
	}
	result, picture, err := b.Reply(ctx, job, noSeal)
	if err != nil {
		return "", err
	}
	result.Picture = p.keepPicture(log, picture)
	return outcome(result)
}

// remembered are the listings that the ledger still has, with all their fields.
func (s system) remembered(ctx context.Context, p place) []monitor.Alert {
	opened, err := store.Open(ctx, p.data, time.Now())
	if err != nil {
		return nil // a dry run without them is one all the same
	}
	defer opened.Store.Close()
	return opened.Memory.Alerts
}

// tryReply makes a dry run in the browser that is running.
func (a *app) tryReply(url string) (string, error) {
	c, err := config.Load(a.place.config)
	if err != nil {
		return "", err
	}
	v := a.latest.Load()
	job, err := dryRunOf(c, monitor.Listing{URL: url}, v.Recent)
	if err != nil {
		return "", err
	}
	if v.Phase == monitor.SigningIn {
		return "", errors.New("a sign-in window is open: close it first")
	}
	for _, r := range v.Rows {
		if r.Host == monitor.HostOf(url) && (r.State == monitor.RowHeld || r.State == monitor.RowRefused) {
			return "", fmt.Errorf("%s is being left alone, as it refused Notifio: try again after %s", r.Host, r.RetryAt.Format("15:04"))
		}
	}
	result, err := a.seat.Reply(a.ctx, job, noSeal)
	if err != nil {
		return "", err
	}
	return outcome(result)
}

func noSeal() error { return errors.New("a dry run sends nothing") }

// dryRunOf is the job of the recipe that fits a listing. What alerts tell of it fills
// the recipe's fields.
func dryRunOf(c config.Config, l monitor.Listing, alerts []monitor.Alert) (monitor.ReplyJob, error) {
	i := slices.IndexFunc(c.Replies, func(r monitor.Recipe) bool { return r.Covers(l.URL) })
	if i < 0 {
		return monitor.ReplyJob{}, fmt.Errorf("no [[reply]] is for %q: write one with that host, and give the whole address of a listing", monitor.HostOf(l.URL))
	}
	search := ""
	for _, a := range alerts {
		if a.Listing.URL == l.URL {
			l, search = a.Listing, strings.Join(a.Searches, ", ")
		}
	}
	r := c.Replies[i]
	message, steps, err := r.Compose(l, search)
	return monitor.ReplyJob{Listing: l, Recipe: r, Message: message, Steps: steps, DryRun: true, Patience: tryPatience}, err
}

// outcome says what a dry run came to.
func outcome(r monitor.ReplyResult) (string, error) {
	where := ""
	if r.Picture != "" {
		where = " The picture is " + r.Picture
	}
	if r.Outcome != monitor.ReplyPrepared {
		return "", fmt.Errorf("the form could not be filled in: %s.%s", r.Reason, where)
	}
	return "The form is filled in, and nothing was sent." + where, nil
}

// Reply makes the seat a monitor.Replier: it keeps the picture.
func (s *seat) Reply(ctx context.Context, job monitor.ReplyJob, seal func() error) (monitor.ReplyResult, error) {
	b, err := s.now()
	if err != nil {
		return monitor.ReplyResult{}, fmt.Errorf("%w: %w", monitor.ErrBrowser, err)
	}
	s.pages.RLock() // no recycling meanwhile
	defer s.pages.RUnlock()
	result, picture, err := b.Reply(ctx, job, seal)
	result.Picture = s.app.place.keepPicture(s.app.log, picture)
	return result, err
}

// pictures is how many pictures of forms are kept.
const pictures = 50

func (p place) pictures() string { return filepath.Join(p.data, "replies") }

// keepPicture writes a picture for the user alone, and forgets the oldest ones. It
// returns the file; "" when there is none.
func (p place) keepPicture(log *slog.Logger, picture []byte) string {
	if len(picture) == 0 {
		return ""
	}
	name := filepath.Join(p.pictures(), time.Now().Format("2006-01-02 15.04.05.000")+".png")
	err := os.MkdirAll(p.pictures(), 0o700)
	if err == nil {
		err = os.WriteFile(name, picture, 0o600)
	}
	if err != nil {
		log.Warn("The picture of a form could not be kept", "reason", err)
		return ""
	}
	all, _ := filepath.Glob(filepath.Join(p.pictures(), "*.png")) // by name, which is by age
	for len(all) > pictures {
		_ = os.Remove(all[0])
		all = all[1:]
	}
	return name
}

// openJournal reads the journal of replies. Where it may lack what was sent, because
// the data is an older copy, replies wait for the user's click.
func (a *app) openJournal(opened store.Opened) (store.Replies, error) {
	journal, kept, err := store.OpenJournal(a.place.data)
	if err != nil {
		return kept, err
	}
	if !kept.Held && (opened.Restored || kept.Made && len(opened.Memory.Records) > 0) {
		kept.Held = true
		if err := journal.Write(store.Entry{At: time.Now(), Event: store.ReplyHold, Note: "the saved data is an older copy"}); err != nil {
			journal.Close()
			return kept, err
		}
	}
	a.journal = journal
	return kept, nil
}
