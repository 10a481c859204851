package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestLoginStartsTheProgramWithoutAConsole(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"notifio.exe", "notifio.com", "alone.COM"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"notifio.com": "notifio.exe", "notifio.exe": "notifio.exe", "alone.COM": "alone.COM", "notifio": "notifio",
	} {
		if got := withoutConsole(filepath.Join(dir, name)); got != filepath.Join(dir, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestVersionHasThreeSpellings asks scripts/version in a history of its own.
func TestVersionHasThreeSpellings(t *testing.T) {
	for _, needed := range []string{"git", "sh", "sed", "awk"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip(needed + " is missing: install it to test the versions of packages")
		}
	}
	script, err := filepath.Abs(filepath.Join("scripts", "version"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func() { run("git", "commit", "-q", "--allow-empty", "-m", "x") }
	check := func(when, program, packaged, numbers string) {
		t.Helper()
		hash := "unknown"
		if when != "no history" {
			hash = run("git", "rev-parse", "--short=7", "HEAD")
		}
		for spelling, want := range map[string]string{"": program, "package": packaged, "numbers": numbers} {
			if got := run("sh", script, spelling); got != strings.ReplaceAll(want, "HASH", hash) {
				t.Errorf("%s, %q: %s, want %s", when, spelling, got, want)
			}
		}
	}
	check("no history", "v0.0.0-0-gunknown", "0.0.0+0.gunknown", "0.0.0.0")
	run("git", "init", "-q")
	commit()
	check("no tag", "v0.0.0-1-gHASH", "0.0.0+1.gHASH", "0.0.0.1")
	run("git", "tag", "v1.4.0-rc1")
	check("release candidate", "v1.4.0-rc1", "1.4.0~rc1", "1.4.0.0")
	commit()
	run("git", "tag", "v1.4.0")
	check("release", "v1.4.0", "1.4.0", "1.4.0.0")
	commit()
	commit()
	check("later", "v1.4.0-2-gHASH", "1.4.0+2.gHASH", "1.4.0.2")
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	run("git", "add", "file")
	check("changed", "v1.4.0-2-gHASH-dirty", "1.4.0+2.gHASH.dirty", "1.4.0.2")
}
