//go:build linux

package browser

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// A browser that cannot start is our trouble and no site's, says what to do, is tried
// again with pauses, and leaves no process behind at another try.
func TestBrowserThatDoesNotStart(t *testing.T) {
	b, err := New(Options{
		Executable: programAt(t, filepath.Join(t.TempDir(), "chromium"),
			"echo 'chromium: error while loading shared libraries: libnss3.so: cannot open shared object file' >&2; exit 127"),
		Headless: true, Profile: t.TempDir(), Limits: quick(),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Check(t.Context(), searchAt("http://a.localhost:1/"))
	if !errors.Is(err, monitor.ErrBrowser) || !strings.Contains(err.Error(), "libnss3.so is missing (install") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	before := children(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := b.Prepare(ctx); !errors.Is(err, monitor.ErrBrowser) {
		t.Errorf("tried again: %v", err)
	}
	if err := b.Close(t.Context()); err != nil {
		t.Error(err)
	}
	eventually(t, "no process is left of the second try", func() bool { return children(t) <= before })
}
