package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/mxschmitt/playwright-go"

	"notifio.app/notifio/monitor"
)

// cookieLook is how often the cookies of an open window are looked at: a browser
// whose last window was closed may end at once, and what a portal has set just
// before would be lost.
const cookieLook = 300 * time.Millisecond

// SignIn ends the session, shows an ordinary window of the same profile at an
// address, and waits until the user has closed all of it, or ctx ends. What the
// portal has set there is the session's from then on, and the session is started
// again. Nothing is typed, and no page is loaded by itself but the first, once.
//
// No check may be in flight. The error says why there was no window; then the
// session goes on as it was.
func (b *Browser) SignIn(ctx context.Context, url string) error {
	if b.options.Endpoint != "" {
		return fmt.Errorf("the browser at %s is not Notifio's own: sign in in its own window", b.options.Endpoint)
	}
	if err := windowPlace(runtime.GOOS, os.Getenv); err != nil {
		return err
	}
	address, err := b.address(url)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(b.life, cancel)()
	a, old, err := b.leave(ctx)
	if err != nil {
		return err
	}
	if old != nil {
		b.keepCookies(ctx, old)
		old.end(b.life)
	}
	err = b.window(ctx, address)
	b.try(a, old)
	return err
}

// windowPlace says what to do where no window can be shown.
func windowPlace(goos string, env func(string) string) error {
	switch goos {
	case "windows", "darwin":
		return nil
	}
	if env("DISPLAY") == "" && env("WAYLAND_DISPLAY") == "" {
		return errors.New("there is no display to show a window on: run this in a terminal on your desktop")
	}
	return nil
}

// leave takes the place of the session for a window. Whoever asks for a browser
// waits for the attempt that it returns.
func (b *Browser) leave(ctx context.Context) (*attempt, *engine, error) {
	for {
		b.mu.Lock()
		before := b.attempt
		if before == nil {
			defer b.mu.Unlock()
			if b.life.Err() != nil {
				return nil, nil, fmt.Errorf("%w: it has been closed", monitor.ErrBrowser)
			}
			b.attempt = &attempt{done: make(chan struct{})}
			return b.attempt, b.engine, nil
		}
		b.mu.Unlock()
		select {
		case <-before.done:
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}

// window shows the profile at an address, from launch to end.
func (b *Browser) window(ctx context.Context, address string) error {
	k, err := b.findKit(ctx)
	if err != nil {
		return err
	}
	profile, err := b.profile()
	if err != nil {
		return err
	}
	e, err := b.openWindow(ctx, k, profile)
	if err != nil {
		return fmt.Errorf("the window cannot be opened: %w", err)
	}
	defer e.end(b.life)
	b.giveCookies(ctx, e, profile)
	if kept := watchWindow(ctx, e, address); kept != nil {
		if err := writeCookies(profile, sessionCookies(kept)); err != nil {
			b.log.Warn("The new session could not be saved.", "error", err)
		}
	}
	return nil
}

// openWindow launches a driver and a visible Chromium that is left to the user:
// nothing closes what its pages open.
func (b *Browser) openWindow(ctx context.Context, k kit, profile string) (*engine, error) {
	e := &engine{limits: b.limits, log: b.log, release: func() {}, gone: make(chan struct{}), ended: make(chan struct{})}
	if err := freeProfile(profile); err != nil {
		return nil, err
	}
	if err := e.startDriver(ctx, k); err != nil {
		return nil, err
	}
	if err := e.startChromium(ctx, k.executable, profile, false); err != nil {
		e.kill()
		return nil, err
	}
	return e, nil
}

// watchWindow leads the first page to an address and returns when no page is left,
// or ctx ends: with the cookies as they were last seen, nil when they never were.
func watchWindow(ctx context.Context, e *engine, address string) []playwright.Cookie {
	if pages := e.context.Pages(); len(pages) > 0 {
		go func() { // what comes of it, the user sees
			_, _ = guarded(func() (playwright.Response, error) {
				return pages[0].Goto(address, playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateCommit, Timeout: playwright.Float(0)})
			})
		}()
	}
	answered := make(chan struct{}, 1)
	e.context.OnResponse(func(r playwright.Response) {
		switch r.Request().ResourceType() {
		case "document", "xhr", "fetch": // a sign-in may be among them, and the window be closed at once
			select {
			case answered <- struct{}{}:
			default:
			}
		}
	})
	var kept []playwright.Cookie
	look := time.NewTicker(cookieLook)
	defer look.Stop()
	for {
		all, err := e.cookies()
		if len(e.context.Pages()) == 0 {
			return kept // with its last window Chromium drops what ends with the session
		}
		if err == nil {
			kept = all
		}
		if ctx.Err() != nil {
			return kept
		}
		select {
		case <-look.C:
		case <-answered:
		case <-ctx.Done():
		case <-e.gone:
			return kept
		}
	}
}

func (e *engine) cookies() ([]playwright.Cookie, error) {
	ctx, cancel := limit(context.Background(), e.limits.ContextClose)
	defer cancel()
	return within(ctx, e.gone, nil, func() ([]playwright.Cookie, error) { return e.context.Cookies() })
}
