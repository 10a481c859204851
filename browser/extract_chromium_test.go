package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// still is a real Chromium in which pages stand still: scripts are off, the
// network is off, and one document is served at the URL it was saved from.
type still struct {
	driver  *playwright.Playwright
	browser playwright.Browser
	page    playwright.Page
	// document is what the page is answered with, whatever it asks for.
	document []byte
}

func startStill() (*still, error) {
	chromium, err := findChromium()
	if err != nil {
		return nil, err
	}
	driver, err := testDriver()
	if err != nil {
		return nil, fmt.Errorf("playwright driver: %w", err)
	}
	args := []string{"--disable-gpu", "--disable-dev-shm-usage"}
	b, err := driver.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath: &chromium, Headless: playwright.Bool(true),
		ChromiumSandbox: playwright.Bool(os.Geteuid() != 0), Args: args,
	})
	if err != nil {
		return nil, fmt.Errorf("chromium: %w", err)
	}
	c, err := b.NewContext(playwright.BrowserNewContextOptions{JavaScriptEnabled: playwright.Bool(false)})
	if err != nil {
		return nil, fmt.Errorf("context: %w", err)
	}
	page, err := c.NewPage()
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	s := &still{driver: driver, browser: b, page: page}
	return s, page.Route("**/*", s.answer)
}

// answer gives the document to the page itself, and nothing to what it loads.
func (s *still) answer(route playwright.Route) {
	if !route.Request().IsNavigationRequest() || route.Request().Frame() != s.page.MainFrame() {
		_ = route.Abort()
		return
	}
	_ = route.Fulfill(playwright.RouteFulfillOptions{
		Status: playwright.Int(200), ContentType: playwright.String("text/html; charset=utf-8"), Body: s.document,
	})
}

func (s *still) stop() {
	_ = s.browser.Close()
	_ = s.driver.Stop()
}

// testDriver starts the Playwright driver from a cache folder of the tests' own,
// and installs it there first when need be.
func testDriver() (*playwright.Playwright, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	if os.Getenv("PLAYWRIGHT_NODEJS_PATH") == "" {
		if node, err := exec.LookPath("node"); err == nil {
			if err := os.Setenv("PLAYWRIGHT_NODEJS_PATH", node); err != nil {
				return nil, err
			}
		}
	}
	options := &playwright.RunOptions{
		DriverDirectory: filepath.Join(cache, "notifio", "test-driver"), SkipInstallBrowsers: true,
	}
	if err := playwright.Install(options); err != nil {
		return nil, err
	}
	return playwright.Run(options)
}

func findChromium() (string, error) {
	for _, name := range []string{os.Getenv("NOTIFIO_BROWSER"), "chromium", "google-chrome", "chrome", "microsoft-edge"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium, Chrome or Edge found: install one, or name it in NOTIFIO_BROWSER")
}

// look evaluates the extraction script on a document as if it had come from url.
func (s *still) look(url string, document []byte, options map[string]any) (json.RawMessage, time.Duration, error) {
	s.document = document
	wait := playwright.WaitUntilStateDomcontentloaded
	if _, err := s.page.Goto(url, playwright.PageGotoOptions{WaitUntil: wait, Timeout: playwright.Float(20000)}); err != nil {
		return nil, 0, err
	}
	began := time.Now()
	value, err := s.page.Evaluate(assets.ExtractScript, options)
	took := time.Since(began)
	if err != nil {
		return nil, took, err
	}
	raw, err := json.Marshal(value)
	return raw, took, err
}

// chromium gives a test its Chromium, or ends it with what is missing.
func chromium(t testing.TB) *still {
	t.Helper()
	s, err := startStill()
	if err != nil {
		t.Fatalf("no browser for the test: %v", err)
	}
	t.Cleanup(s.stop)
	return s
}

// read reads a saved document the way `notifio extract --as` does.
func (c *still) read(t testing.TB, r *reader, s monitor.Search, document []byte) (monitor.Page, time.Duration) {
	t.Helper()
	options := r.options(s, s.URL)
	options["settle_ms"] = 0
	raw, took, err := c.look(s.URL, document, options)
	if err != nil {
		t.Fatalf("look at %s: %v", s.URL, err)
	}
	began := time.Now()
	page := r.read(loaded{Search: s, URL: s.URL, FinalURL: s.URL, Status: 200, Raw: raw, At: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)})
	return page, took + time.Since(began)
}
