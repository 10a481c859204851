package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// cookieFile is where cookies that end with the session are kept in the profile
// folder. Chromium itself forgets them at each start, and with them, on many
// portals, who is signed in.
const cookieFile = "notifio-session-cookies.json"

// sessionCookies keeps those cookies that have no expiry.
func sessionCookies(all []playwright.Cookie) []playwright.OptionalCookie {
	kept := []playwright.OptionalCookie{}
	for _, c := range all {
		if c.Expires < 0 {
			kept = append(kept, c.ToOptionalCookie())
		}
	}
	return kept
}

// keepCookies saves the session cookies of a browser that still answers. The
// cookies of a remote browser stay where they are.
func (b *Browser) keepCookies(ctx context.Context, e *engine) {
	if b.options.Profile == "" || e.chrome.pid == 0 || e.isGone() {
		return
	}
	ctx, cancel := limit(ctx, b.limits.ContextClose)
	defer cancel()
	all, err := within(ctx, e.gone, nil, func() ([]playwright.Cookie, error) { return e.context.Cookies() })
	if err == nil {
		err = writeCookies(b.options.Profile, sessionCookies(all))
	}
	if err != nil {
		b.log.Warn("Session cookies could not be saved. Some portals may ask for another sign-in.", "error", firstLine(err))
		return
	}
	b.mu.Lock()
	b.saved = time.Now()
	b.mu.Unlock()
}

// giveCookies hands the saved session cookies to a browser that has just started.
func (b *Browser) giveCookies(ctx context.Context, e *engine, profile string) {
	cookies, err := readCookies(profile)
	if err == nil && len(cookies) > 0 {
		ctx, cancel := limit(ctx, b.limits.ContextClose)
		defer cancel()
		err = do(ctx, e.gone, func() error { return e.context.AddCookies(cookies) })
	}
	if err != nil {
		b.log.Warn("Saved session cookies could not be used. Some portals may ask for another sign-in.", "error", firstLine(err))
	}
	b.mu.Lock()
	b.saved = time.Now()
	b.mu.Unlock()
}

// writeCookies replaces the file of a profile as a whole, readable by its owner alone.
func writeCookies(profile string, cookies []playwright.OptionalCookie) error {
	data, err := json.Marshal(cookies)
	if err != nil {
		return fmt.Errorf("session cookies: %w", err)
	}
	file, err := os.CreateTemp(profile, cookieFile+".") // mode 0600
	if err != nil {
		return fmt.Errorf("session cookies: %w", err)
	}
	_, err = file.Write(data)
	if e := file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(file.Name(), filepath.Join(profile, cookieFile))
	}
	if err != nil {
		_ = os.Remove(file.Name())
		return fmt.Errorf("session cookies: %w", err)
	}
	return nil
}

// readCookies reads what writeCookies wrote. No file is no cookies. The text of
// its errors never holds any part of the file.
func readCookies(profile string) ([]playwright.OptionalCookie, error) {
	path := filepath.Join(profile, cookieFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("session cookies: %w", err)
	}
	var cookies []playwright.OptionalCookie
	if json.Unmarshal(data, &cookies) != nil {
		return nil, fmt.Errorf("session cookies: %s is damaged", path)
	}
	return cookies, nil
}
