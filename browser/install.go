package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/adrg/xdg"
	"github.com/mxschmitt/playwright-go"
)

// missingError is something that a browser needs and that could not be fetched:
// it is tried again with long pauses.
type missingError struct {
	what string // as in `Chromium`
	err  error
}

func (m *missingError) Error() string {
	return fmt.Sprintf("%s is missing and could not be installed (is this machine online?): %s", m.what, firstLine(m.err))
}
func (m *missingError) Unwrap() error { return m.err }

// findKit finds what a launch needs, and installs what is not there.
func (b *Browser) findKit(ctx context.Context) (kit, error) {
	k := kit{driver: b.options.DriverDir}
	if k.driver == "" {
		k.driver = filepath.Join(xdg.CacheHome, "notifio", "driver-"+driverVersion())
	}
	k.node = findNode(ctx, k.driver)
	if !driverThere(k.driver) {
		if err := b.installDriver(ctx, k); err != nil {
			return kit{}, err
		}
	}
	if b.options.Endpoint != "" {
		return k, nil
	}
	var err error
	k.executable, err = b.findBrowser(ctx, k)
	return k, err
}

// findBrowser is the executable to launch, "" for the driver's own download.
func (b *Browser) findBrowser(ctx context.Context, k kit) (string, error) {
	f := b.lookAround(ctx, k)
	switch choose(f) {
	case useConfigured, useInstalled:
		return f.path(), nil
	case useDownloaded:
		return "", nil
	case rejectConfigured:
		return "", fmt.Errorf("executable %q under [browser]: %w (correct it, or remove it to use any installed browser)", f.configured, f.problem)
	case askForApt:
		return "", errors.New("no browser is installed: run `sudo apt-get install chromium`, or set executable under [browser]")
	case installByApt:
		err := b.aptInstall(ctx)
		if found := firstInstalled(); err == nil && found != "" {
			return found, nil
		}
		b.log.Warn("Chromium could not be installed from the system's packages. Trying a download.", "error", err)
	}
	return "", b.downloadBrowser(ctx, k)
}

// facts are what the choice of a browser depends on.
type facts struct {
	configured string // as written by the user; "" when nothing is
	resolved   string // where that is, when it can be run
	problem    error  // why it cannot
	installed  string // the first usable browser of this machine
	downloaded bool   // the driver's own browser is complete
	apt        bool   // a Debian with apt-get
	root       bool
}

func (f facts) path() string {
	if f.configured != "" {
		return f.resolved
	}
	return f.installed
}

// choice is how to get a browser.
type choice int

const (
	useConfigured choice = iota
	rejectConfigured
	useInstalled
	useDownloaded
	installByApt
	askForApt
	download
)

// choose decides which browser is used, or how one is installed. A configured
// one that cannot be run is never replaced silently by another.
func choose(f facts) choice {
	switch {
	case f.configured != "" && f.problem != nil:
		return rejectConfigured
	case f.configured != "":
		return useConfigured
	case f.installed != "":
		return useInstalled
	case f.downloaded:
		return useDownloaded
	case f.apt && f.root:
		return installByApt
	case f.apt:
		return askForApt
	}
	return download
}

// lookAround gathers the facts, as few as are needed.
func (b *Browser) lookAround(ctx context.Context, k kit) facts {
	f := facts{configured: b.options.Executable}
	if f.configured != "" {
		f.resolved, f.problem = runnable(f.configured)
		return f
	}
	if f.installed = firstInstalled(); f.installed != "" {
		return f
	}
	f.downloaded = downloaded(ctx, k)
	f.apt, f.root = debian(), os.Geteuid() == 0
	return f
}

// driverVersion is the version of Playwright that the library goes with.
var driverVersion = sync.OnceValue(func() string {
	d, err := playwright.NewDriver(runOptions(os.TempDir(), slog.New(slog.DiscardHandler)))
	if err != nil {
		return "unknown"
	}
	return d.Version
})

// ticking tells what is going on, and every few seconds for how long, until the
// returned function is called.
func (b *Browser) ticking(text string) (stop func()) {
	b.progress(text + " …")
	const pace = 5 * time.Second
	began := time.Now()
	ticker := time.NewTicker(pace)
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				b.progress(fmt.Sprintf("%s … (%s)", text, time.Since(began).Round(time.Second)))
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(done)
		<-ended
	}
}

// capital makes a sentence's first letter of an error's.
func capital(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
