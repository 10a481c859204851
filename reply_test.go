package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/config"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

func TestReplyCommandSaysWhatItTakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{{}, {"--list", "--dry-run", "https://a.example/1"}, {"https://a.example/1"}, {"--send", "x"}} {
		got := invoke(t, system{}, append([]string{"--data", dir, "reply"}, args...)...)
		if got.code != exitUsage || !strings.Contains(got.err, "--dry-run") {
			t.Errorf("%q: exit %d, %q", args, got.code, got.err)
		}
	}
	if got := invoke(t, system{}, "--data", dir, "reply", "--list"); got.code != exitFine || got.out != "Nothing was sent yet.\n" {
		t.Errorf("an empty list: exit %d, %q %q", got.code, got.out, got.err)
	}
}

func TestOnlyTheNewestPicturesAreKept(t *testing.T) {
	t.Parallel()
	p, log := place{data: t.TempDir()}, slog.New(slog.DiscardHandler)
	if name := p.keepPicture(log, nil); name != "" {
		t.Errorf("no picture is kept as %s", name)
	}
	if err := os.MkdirAll(p.pictures(), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range pictures {
		name := time.Unix(int64(i), 0).UTC().Format("2006-01-02 15.04.05.000") + ".png"
		if err := os.WriteFile(filepath.Join(p.pictures(), name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	name := p.keepPicture(log, []byte("png"))
	all, _ := filepath.Glob(filepath.Join(p.pictures(), "*.png"))
	if len(all) != pictures || all[pictures-1] != name {
		t.Errorf("%d pictures, the last %s, want %s", len(all), all[len(all)-1], name)
	}
}

func TestDryRunTakesTheRecipeOfTheHost(t *testing.T) {
	t.Parallel()
	c := config.Config{Replies: []monitor.Recipe{
		{Name: "a", Host: "a.example", Message: "Hello {{.Title}}"}, {Name: "b", Host: "b.example", Message: "Hi {{.Title}}"},
	}}
	told := []monitor.Alert{{Listing: monitor.Listing{URL: "https://b.example/1", Title: "Loft"}}}
	job, err := dryRunOf(c, monitor.Listing{URL: "https://b.example/1"}, told)
	if err != nil || job.Recipe.Name != "b" || job.Message != "Hi Loft" || !job.DryRun {
		t.Errorf("%+v, %v", job, err)
	}
	if _, err := dryRunOf(c, monitor.Listing{URL: "https://c.example/1"}, told); err == nil || !strings.Contains(err.Error(), "c.example") {
		t.Errorf("without a recipe: %v", err)
	}
}

// Data that was put back may lack what was sent since: the user has to say so.
func TestRestoredDataHoldsReplies(t *testing.T) {
	t.Parallel()
	filled := monitor.Memory{Records: []monitor.Record{{Search: "https://a.example/"}}}
	for what, c := range map[string]struct {
		opened store.Opened
		there  bool // a journal
		want   bool
	}{
		"a first start":                {store.Opened{}, false, false},
		"an ordinary start":            {store.Opened{Memory: filled}, true, false},
		"a backup was put back":        {store.Opened{Memory: filled, Restored: true}, true, true},
		"data without its journal":     {store.Opened{Memory: filled}, false, true},
		"nothing but what was damaged": {store.Opened{Restored: true}, false, true},
	} {
		p := place{data: t.TempDir()}
		if c.there {
			journal, _, err := store.OpenJournal(p.data)
			if err != nil {
				t.Fatal(err)
			}
			journal.Close()
		}
		a := &app{place: p}
		kept, err := a.openJournal(c.opened)
		if err != nil || kept.Held != c.want {
			t.Errorf("%s: held %v, %v", what, kept.Held, err)
		}
		a.journal.Close()
		if again, err := store.ReadReplies(p.data); err != nil || again.Held != c.want {
			t.Errorf("%s: at the next start held %v, %v", what, again.Held, err)
		}
	}
}
