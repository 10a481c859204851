package tray

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestOnlyWebLinksAreOpened(t *testing.T) {
	for _, bad := range []string{
		"", "demo:amsterdam", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "//host/x", "/etc/passwd",
		"http:", "https:///x", "http://:80/", "-h", "mailto:a@example.com", "https://a\nb", "https://a\x00b", "%zz", "HTTPX://a/",
	} {
		if err := OpenURL(bad); err == nil {
			t.Errorf("%q was opened", bad)
		}
	}
	for in, want := range map[string]string{
		"https://www.example.com/a b?q=1&r=%C3%A9#x": "https://www.example.com/a%20b?q=1&r=%C3%A9#x",
		"HTTP://example.com":                         "http://example.com",
	} {
		if got, err := webURL(in); err != nil || got != want {
			t.Errorf("webURL(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

// stubs puts small programs first into the path, by name.
func stubs(t *testing.T, programs map[string]string) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the programs are shell scripts")
	}
	dir := t.TempDir()
	for name, body := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	return dir
}

func TestLinkGoesToTheDesktop(t *testing.T) {
	dir := stubs(t, map[string]string{"xdg-open": `printf '%s' "$*" >"$(dirname "$0")/opened"`})
	if err := OpenURL("https://x.example/1?a=$(id)&b='"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "opened"))
	if err != nil || string(got) != "https://x.example/1?a=$(id)&b='" {
		t.Errorf("opened %q, %v", got, err)
	}
}

func TestOpenerThatBlocksIsNotWaitedFor(t *testing.T) {
	stubs(t, map[string]string{"xdg-open": "exec sleep 5"})
	begin := time.Now()
	if err := OpenURL("https://x.example/"); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("waited %v for the browser", took)
	}
}

func TestOpenerThatFailsGivesWayToTheNext(t *testing.T) {
	dir := stubs(t, map[string]string{"xdg-open": "exit 3", "gio": `printf '%s' "$*" >"$(dirname "$0")/opened"`})
	file := filepath.Join(dir, "notifio.toml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := OpenFile(file); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "opened")); err != nil || string(got) != "open "+file {
		t.Errorf("opened %q, %v", got, err)
	}
	stubs(t, map[string]string{"xdg-open": "exit 3", "gio": "exit 2"})
	if err := OpenFile(file); err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v, want one with file and cause", err)
	}
}

func TestMissingFileIsNamed(t *testing.T) {
	if err := OpenFile("/nowhere/notifio.log"); err == nil || !strings.Contains(err.Error(), "/nowhere/notifio.log") {
		t.Errorf("error %v, want one that names the file", err)
	}
}
