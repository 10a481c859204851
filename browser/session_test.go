package browser

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// counter sets a session cookie and a lasting one on the first visit, and notes
// which of them come back.
type counter struct{ session, lasting atomic.Int32 }

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r) // the icon of the site, which Chromium asks for by itself
		return
	}
	if _, err := r.Cookie("session"); err == nil {
		c.session.Add(1)
	}
	if _, err := r.Cookie("lasting"); err == nil {
		c.lasting.Add(1)
	}
	http.SetCookie(w, &http.Cookie{Name: "session", Value: "one", Path: "/"})
	http.SetCookie(w, &http.Cookie{Name: "lasting", Value: "two", Path: "/", MaxAge: 100000})
	_, _ = w.Write([]byte(resultsHTML(9)))
}

func mustCheck(t *testing.T, b *Browser, url string) monitor.Page {
	t.Helper()
	p, err := b.Check(t.Context(), searchAt(url))
	if err != nil {
		t.Fatal(err)
	}
	if p.Status != 200 {
		t.Fatalf("%s: %s %d %q", url, p.Verdict, p.Status, p.Reason)
	}
	return p
}

func TestRecyclingKeepsTheSession(t *testing.T) {
	t.Parallel()
	b := browserFor(t, func(o *Options) { o.Limits.Checks = 2 })
	var c counter
	at := serve(t, c.ServeHTTP)
	first := b.engine
	mustCheck(t, b, at("a", "/"))
	b.Rest(t.Context())
	if b.engine != first {
		t.Fatal("recycled after one check of two")
	}
	mustCheck(t, b, at("a", "/"))
	b.Rest(t.Context())
	if b.engine == first {
		t.Fatal("not recycled after two checks of two")
	}
	mustCheck(t, b, at("a", "/"))
	if c.session.Load() != 2 || c.lasting.Load() != 2 {
		t.Errorf("of two later visits %d had the session's cookie and %d the lasting one", c.session.Load(), c.lasting.Load())
	}
}

func TestSessionSurvivesARestart(t *testing.T) {
	t.Parallel()
	profile := filepath.Join(t.TempDir(), "profile")
	var c counter
	at := serve(t, c.ServeHTTP)
	for range 2 {
		b := browserFor(t, func(o *Options) { o.Profile = profile })
		mustCheck(t, b, at("a", "/"))
		if err := b.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if c.session.Load() != 1 || c.lasting.Load() != 1 {
		t.Errorf("after the restart the session's cookie came %d times, the lasting one %d", c.session.Load(), c.lasting.Load())
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{profile: 0o700, filepath.Join(profile, cookieFile): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}

func TestDamagedCookiesAreNotAnObstacle(t *testing.T) {
	t.Parallel()
	profile := t.TempDir()
	const secret = `[{"name":"s","value":"geheim`
	if err := os.WriteFile(filepath.Join(profile, cookieFile), []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readCookies(profile); err == nil || strings.Contains(err.Error(), "geheim") {
		t.Errorf("error %v", err)
	}
	browserFor(t, func(o *Options) { o.Profile = profile }) // it starts
}

func TestStaleLockOfAnotherHostIsRemoved(t *testing.T) {
	t.Parallel()
	profile := t.TempDir()
	if err := os.Symlink("another-machine-999999", filepath.Join(profile, singletonLock)); err != nil {
		t.Skip(err)
	}
	at := serve(t, hostile)
	mustCheck(t, browserFor(t, func(o *Options) { o.Profile = profile }), at("a", "/good"))
}

func TestProfileOfALiveBrowserIsLeftAlone(t *testing.T) {
	t.Parallel()
	profile := t.TempDir()
	at := serve(t, hostile)
	b := browserFor(t, func(o *Options) { o.Profile = profile })
	second, err := New(b.options)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = second.Close(t.Context()) }()
	if err := second.Prepare(t.Context()); !errors.Is(err, monitor.ErrBrowser) || !strings.Contains(err.Error(), "in use") {
		t.Errorf("error %v", err)
	}
	mustCheck(t, b, at("a", "/good"))
}

// wrapped is a program of the test's own that starts the installed browser.
func wrapped(t *testing.T) (path string, script []byte) {
	t.Helper()
	real := firstInstalled()
	if real == "" {
		t.Skip("no browser is installed")
	}
	path, script = filepath.Join(t.TempDir(), "browser"), []byte("#!/bin/sh\nexec '"+real+"' \"$@\"\n")
	if err := os.WriteFile(path, script, 0o755); err != nil {
		t.Fatal(err)
	}
	return path, script
}

// A package manager puts a new program in the old one's place while that runs.
func TestUpdatedBrowserIsStartedAnew(t *testing.T) {
	path, script := wrapped(t)
	at := serve(t, hostile)
	b := browserFor(t, func(o *Options) { o.Executable = path })
	mustCheck(t, b, at("a", "/good"))
	first := b.engine
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if b.Rest(t.Context()); b.engine != first {
		t.Error("a browser whose program is gone was ended")
	}
	mustCheck(t, b, at("a", "/good"))
	if err := os.WriteFile(path, script, 0o755); err != nil {
		t.Fatal(err)
	}
	if b.Rest(t.Context()); b.engine == first {
		t.Error("the browser of before the update runs on")
	}
	mustCheck(t, b, at("a", "/good"))
	second := b.engine
	if b.Rest(t.Context()); b.engine != second {
		t.Error("it is started anew without an update")
	}
}

// It writes a program and runs it, so it runs alone: a process that another test
// starts at that moment holds the program open for writing, and it cannot be run.
func TestConfiguredBrowserGoneAndBack(t *testing.T) {
	path, script := wrapped(t)
	at := serve(t, hostile)
	b := browserFor(t, func(o *Options) { o.Executable = path })
	mustCheck(t, b, at("a", "/good"))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	b.engine.kill()
	if _, err := b.Check(t.Context(), searchAt(at("a", "/good"))); !errors.Is(err, monitor.ErrBrowser) || !strings.Contains(err.Error(), path) {
		t.Errorf("without its program: %v", err)
	}
	if err := os.WriteFile(path, script, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := b.Start(ctx); err != nil {
		t.Fatal(err)
	}
	mustCheck(t, b, at("a", "/good"))
}

func TestRemoteBrowserIsNotOurs(t *testing.T) {
	t.Parallel()
	path := firstInstalled()
	if path == "" {
		t.Skip("no browser is installed")
	}
	profile, err := os.MkdirTemp("", "notifio-remote-")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--headless", "--remote-debugging-port=0", "--user-data-dir=" + profile, "about:blank"}
	if !sandboxed() {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(path, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		// Its children write for a moment longer.
		eventually(t, "the remote profile is removed", func() bool { return os.RemoveAll(profile) == nil })
	})
	var port string
	eventually(t, "the remote browser listens", func() bool {
		data, err := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		port, _, _ = strings.Cut(string(data), "\n")
		return err == nil && port != ""
	})
	at := serve(t, hostile)
	b := browserFor(t, func(o *Options) { o.Endpoint = "http://127.0.0.1:" + port })
	mustCheck(t, b, at("a", "/good"))
	b.Rest(t.Context())
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if passed(ended) {
		t.Error("the remote browser was ended")
	}
}

func TestCheckBeforeTheBrowserIsReadySaysWhatIsMissing(t *testing.T) {
	b, err := New(Options{Executable: "/nowhere/browser", Limits: quick()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close(t.Context()) }()
	_, err = b.Check(t.Context(), searchAt("http://a.localhost:1/"))
	if !errors.Is(err, monitor.ErrBrowser) || !strings.Contains(err.Error(), "/nowhere/browser") {
		t.Errorf("error %v", err)
	}
}
