package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

func TestReportIsWrittenBesideARunningNotifio(t *testing.T) {
	f := newFolder(t, search("Centrum & West", "https://www.example.com/rooms"))
	opened, err := store.Open(t.Context(), f.data, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Store.Close()
	if err := opened.Store.Save(t.Context(), monitor.Change{AllSeen: true, Checks: []monitor.CheckRecord{
		{Search: "https://www.example.com/rooms", At: time.Now().Add(-time.Hour), Verdict: monitor.Results, Listings: 23},
	}}); err != nil {
		t.Fatal(err)
	}
	got := f.invoke(system{}, "report", "--no-open")
	path := filepath.Join(f.data, "report.html")
	if got.code != exitFine || got.out != path+"\n" || got.err != "" {
		t.Fatalf("exit %d: %q %q", got.code, got.out, got.err)
	}
	page, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(page), "Centrum &amp; West") || !strings.Contains(string(page), "23 listings now") {
		t.Errorf("the page does not tell of the search: %v", err)
	}
	if info, err := os.Stat(path); err != nil || filepath.Separator == '/' && info.Mode().Perm() != 0o600 {
		t.Errorf("the page is for everybody: %v %v", info.Mode(), err)
	}
	if parts, _ := filepath.Glob(filepath.Join(f.data, "*.part")); len(parts) > 0 {
		t.Errorf("left behind: %v", parts)
	}
}

func TestReportNeedsNeitherDataNorConfiguration(t *testing.T) {
	f := newFolder(t, "")
	if err := os.Remove(f.config); err != nil {
		t.Fatal(err)
	}
	got := f.invoke(system{}, "report", "--no-open")
	page, err := os.ReadFile(filepath.Join(f.data, "report.html"))
	if got.code != exitFine || got.err != "" || err != nil || !strings.Contains(string(page), "Nothing to show yet") {
		t.Errorf("without anything: exit %d %q, %v", got.code, got.err, err)
	}
	if _, err := os.Stat(f.config); err == nil {
		t.Error("the report has made a configuration")
	}
	f.write("[[search]]\nname = 1\n")
	if got := f.invoke(system{}, "report", "--no-open"); got.code != exitFine || !strings.Contains(got.err, "notifio.toml:1") {
		t.Errorf("with a wrong configuration: exit %d %q", got.code, got.err)
	}
}

func TestReportSaysWhatIsWrong(t *testing.T) {
	f := newFolder(t, "")
	for _, args := range [][]string{{"report", "--open"}, {"report", "week"}} {
		if got := f.invoke(system{}, args...); got.code != exitUsage || !strings.Contains(got.err, "--no-open") {
			t.Errorf("%v: exit %d %q", args, got.code, got.err)
		}
	}
	if err := os.MkdirAll(f.data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.data, "notifio.db"), []byte("this is no database, and long enough to be looked at"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := f.invoke(system{}, "report", "--no-open"); got.code != exitTrouble || !strings.Contains(got.err, "start Notifio, which mends it") {
		t.Errorf("damaged: exit %d %q", got.code, got.err)
	}
}
