//go:build !windows

package browser

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// programAt is a shell script.
func programAt(t *testing.T, path, script string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDescribeNamesBrowserAndDriver(t *testing.T) {
	dir := t.TempDir()
	driver := filepath.Join(dir, "driver")
	programAt(t, filepath.Join(driver, "package", "cli.js"), "")
	programAt(t, filepath.Join(driver, nodeName()), "echo v24.1.0")
	chrome := programAt(t, filepath.Join(dir, "chrome"), "echo Google Chrome 156.0.7412.3 beta")
	got := Describe(t.Context(), Options{Executable: chrome, DriverDir: driver})
	if !got.Ready || got.Browser != chrome+", 156.0.7412.3" || !strings.Contains(got.Driver, driverVersion()) || !strings.Contains(got.Driver, "v24.1.0") {
		t.Errorf("%+v", got)
	}
}

func TestDescribeSaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	mute := programAt(t, filepath.Join(dir, "mute"), "exit 1")
	for _, c := range []struct{ executable, want string }{
		{filepath.Join(dir, "gone"), "there is no such program"},
		{mute, "does not tell its version"},
		{programAt(t, filepath.Join(dir, "other"), "echo hello"), `it says "hello"`},
	} {
		got := Describe(t.Context(), Options{Executable: c.executable, DriverDir: filepath.Join(dir, "driver")})
		if got.Ready || !strings.Contains(got.Browser, c.want) || !strings.Contains(got.Driver, "not installed yet") {
			t.Errorf("%s: %+v, want %q", c.executable, got, c.want)
		}
	}
}

// A browser that hangs when asked costs what its caller gives it.
func TestDescribeEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	hang := programAt(t, filepath.Join(dir, "hang"), "exec sleep 600")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if got := Describe(ctx, Options{Executable: hang, DriverDir: dir}); got.Ready {
		t.Errorf("%+v", got)
	}
	if took := time.Since(began); took > slack {
		t.Errorf("took %v", took)
	}
}
