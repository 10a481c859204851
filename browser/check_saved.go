package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/mxschmitt/playwright-go"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// ReadFile reads a saved page as if it had just come from address, an http or
// https URL. Scripts and network are off, so what a page fills in by script is
// read only if it was saved with it. Its errors are those of Check, and one when
// the document cannot be read in time.
func (b *Browser) ReadFile(ctx context.Context, address string, html []byte, s monitor.Search) (monitor.Page, error) {
	began := time.Now()
	ctx, cancel := limit(ctx, b.limits.Check)
	defer cancel()
	e, err := b.running(ctx)
	if err != nil {
		return monitor.Page{}, err
	}
	still, err := e.stillContext(ctx)
	if err != nil {
		return monitor.Page{}, fmt.Errorf("%w: %s", monitor.ErrBrowser, firstLine(err))
	}
	defer e.work.Go(func() { e.step(context.Background(), e.limits.ContextClose, func() error { return still.Close() }) })
	options := b.reader.options(s, address)
	options["settle_ms"] = 0 // no timer fires without scripts
	value, err := within(ctx, e.gone, nil, func() (any, error) { return readStill(still, address, html, options) })
	text, ok := value.(string)
	switch {
	case errors.Is(err, errLate):
		return monitor.Page{}, fmt.Errorf("the saved page could not be read within %s", b.limits.Check)
	case err != nil:
		return monitor.Page{}, fmt.Errorf("saved page: %s", firstLine(err))
	case !ok:
		return monitor.Page{}, fmt.Errorf("saved page: the script returned %T instead of JSON", value)
	}
	page := b.reader.read(loaded{
		Search: s, URL: address, FinalURL: address, Status: 200, Raw: json.RawMessage(text), At: time.Now(),
	})
	page.Took = time.Since(began)
	return page, nil
}

// stillContext is a second context beside the profile, in which pages stand still.
func (e *engine) stillContext(ctx context.Context) (playwright.BrowserContext, error) {
	closeLate := func(c playwright.BrowserContext) { _ = c.Close() }
	return within(ctx, e.gone, closeLate, func() (playwright.BrowserContext, error) {
		return e.context.Browser().NewContext(playwright.BrowserNewContextOptions{
			JavaScriptEnabled: playwright.Bool(false), Offline: playwright.Bool(true), AcceptDownloads: playwright.Bool(false),
		})
	})
}

// readStill serves a document at its address and evaluates the script on it.
func readStill(still playwright.BrowserContext, address string, html []byte, options map[string]any) (any, error) {
	page, err := still.NewPage()
	if err != nil {
		return nil, err
	}
	// A document that says its encoding is believed, unless it is UTF-8 anyhow.
	kind := "text/html"
	if utf8.Valid(html) {
		kind += "; charset=utf-8"
	}
	err = page.Route("**/*", func(r playwright.Route) {
		if r.Request().IsNavigationRequest() && r.Request().Frame() == page.MainFrame() {
			_ = r.Fulfill(playwright.RouteFulfillOptions{
				Status: playwright.Int(200), ContentType: playwright.String(kind), Body: html,
			})
			return
		}
		_ = r.Abort()
	})
	if err != nil {
		return nil, err
	}
	parsed := playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateDomcontentloaded, Timeout: playwright.Float(0)}
	if _, err := page.Goto(address, parsed); err != nil {
		return nil, err
	}
	return page.Evaluate(assets.ExtractScript, options)
}
