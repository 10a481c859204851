package browser

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// still is a page of a real Chromium that is answered with one document, at the
// URL that it was saved from, and with nothing else.
type still struct {
	page     playwright.Page
	document []byte
}

// chromium gives a test a page in which scripts are off, so that it stands still.
func chromium(t testing.TB) *still { return started(t, false) }

func started(t testing.TB, scripts bool) *still {
	t.Helper()
	e, err := browserFor(t, nil).running(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.context.Browser().NewContext(playwright.BrowserNewContextOptions{JavaScriptEnabled: &scripts})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	page, err := c.NewPage()
	if err != nil {
		t.Fatal(err)
	}
	s := &still{page: page}
	if err := page.Route("**/*", s.answer); err != nil {
		t.Fatal(err)
	}
	return s
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

// look evaluates the extraction script on a document as if it had come from url.
func (s *still) look(url string, document []byte, options map[string]any) (json.RawMessage, time.Duration, error) {
	s.document = document
	parsed := playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateDomcontentloaded, Timeout: playwright.Float(60000)}
	if _, err := s.page.Goto(url, parsed); err != nil {
		return nil, 0, err
	}
	began := time.Now()
	value, err := s.page.Evaluate(assets.ExtractScript, options)
	took := time.Since(began)
	if err != nil {
		return nil, took, err
	}
	text, ok := value.(string)
	if !ok {
		return nil, took, fmt.Errorf("the script returned %T instead of JSON", value)
	}
	return json.RawMessage(text), took, nil
}

// read reads a saved document, and says how long script and reading took.
func (s *still) read(t testing.TB, r *reader, search monitor.Search, document []byte) (monitor.Page, time.Duration) {
	t.Helper()
	options := r.options(search, search.URL)
	options["settle_ms"] = 0
	raw, took, err := s.look(search.URL, document, options)
	if err != nil {
		t.Fatalf("look at %s: %v", search.URL, err)
	}
	began := time.Now()
	page := r.read(loaded{
		Search: search, URL: search.URL, FinalURL: search.URL, Status: 200, Raw: raw,
		At: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
	})
	return page, took + time.Since(began)
}
