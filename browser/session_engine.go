package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// engine is one running driver and the Chromium below it, from launch to end. An
// engine is not repaired: one that fails is ended and another one launched.
type engine struct {
	limits Limits
	log    *slog.Logger

	driver  *playwright.Playwright
	context playwright.BrowserContext
	control playwright.CDPSession // to the browser process itself; nil when remote
	node    process
	chrome  process // zero when remote: a browser that is not ours is never killed
	release func()  // what adopt handed over
	program program // what was launched; zero when remote

	goneOnce sync.Once
	gone     chan struct{} // closed when the engine is of no more use
	ended    chan struct{} // closed when nothing of it is left
	endOnce  sync.Once

	mu     sync.Mutex
	spare  *tab // the next blank page, opened beforehand; nil while there is none
	checks int
	work   sync.WaitGroup // pages being opened or closed beside the checks
}

// tab is one page of ours.
type tab struct {
	page    playwright.Page
	crashed chan struct{} // closed when its renderer has ended
	shut    chan struct{} // closed when the page has been closed, by whomever

	asking asking
	wire   *wire // nil until a check has it

	mu   sync.Mutex
	last answered // of the main frame's newest navigation
}

// answered is what a response to a navigation said.
type answered struct {
	status     int
	retryAfter string
}

// give marks the engine as of no more use: calls that are waiting return. It says
// whether it was the first to do so.
func (e *engine) give() (first bool) {
	e.goneOnce.Do(func() { close(e.gone); first = true })
	return first
}

func (e *engine) isGone() bool { return passed(e.gone) }

// sweep closes pages that nobody uses any more, and says whether none is left but
// the spare one. It is called while no check is in flight. A remote browser's
// other pages are somebody's.
func (e *engine) sweep() bool {
	if e.chrome.pid == 0 {
		return true
	}
	e.mu.Lock()
	spare := e.spare
	e.mu.Unlock()
	clean := true
	for _, p := range e.context.Pages() {
		if spare == nil || p != spare.page {
			clean = e.closeTab(&tab{page: p, shut: make(chan struct{})}) == nil && clean
		}
	}
	return clean
}

// open opens a blank page.
func (e *engine) open(ctx context.Context) (*tab, error) {
	ctx, cancel := limit(ctx, e.limits.NewPage)
	defer cancel()
	closeLate := func(p playwright.Page) { _ = p.Close() }
	page, err := within(ctx, e.gone, closeLate, func() (playwright.Page, error) { return e.context.NewPage() })
	if err != nil {
		return nil, fmt.Errorf("new page: %w", err)
	}
	return e.watch(page), nil
}

// watch makes a tab of a page and listens to it. The handlers run on the driver's
// one goroutine for messages, so they only take notes.
func (e *engine) watch(page playwright.Page) *tab {
	t := &tab{page: page, crashed: make(chan struct{}), shut: make(chan struct{})}
	page.OnCrash(func(playwright.Page) { once(t.crashed) })
	page.OnClose(func(playwright.Page) { once(t.shut) })
	t.asking.follow(page)
	// What our pages open by themselves is closed, as far as Chromium lets them.
	page.OnPopup(func(p playwright.Page) { go func() { _ = p.Close() }() })
	main := page.MainFrame()
	page.OnResponse(func(r playwright.Response) {
		if !r.Request().IsNavigationRequest() || r.Frame() != main {
			return
		}
		t.mu.Lock()
		t.last = answered{status: r.Status(), retryAfter: r.Headers()["retry-after"]}
		t.mu.Unlock()
	})
	return t
}

func (t *tab) answer() answered {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// once closes a channel that only the driver's goroutine for messages closes.
func once(c chan struct{}) {
	if !passed(c) {
		close(c)
	}
}

// passed says whether c has been closed.
func passed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// take hands out a blank page: the one opened beforehand, or a new one.
func (e *engine) take(ctx context.Context) (*tab, error) {
	e.mu.Lock()
	t := e.spare
	e.spare = nil
	e.checks++
	e.mu.Unlock()
	if t != nil && !passed(t.crashed) && !passed(t.shut) {
		return t, nil
	}
	return e.open(ctx)
}

// put takes a page back. It opens the next blank one first, because closing a
// browser's last page makes the one after it twice as dear, and closes t then.
// It returns at once.
func (e *engine) put(t *tab) {
	e.work.Go(func() {
		e.refill()
		if e.chrome.pid != 0 && t.wire != nil && !passed(t.shut) {
			e.step(context.Background(), e.limits.PageClose, t.wire.stopWorkers)
		}
		if e.closeTab(t) != nil && e.alive(context.Background()) != nil {
			e.condemn()
		}
	})
}

// drop closes a page that was late. When the browser itself gives no sign of life
// in that time, it is to blame and not the page: then it is ended and drop returns
// errGone. That the page is closed says nothing: it may have gone with its browser.
func (e *engine) drop(t *tab) error {
	sign := make(chan error, 1)
	go func() { sign <- e.alive(context.Background()) }()
	_ = e.closeTab(t)
	if <-sign == nil {
		return nil
	}
	e.condemn()
	return errGone
}

// condemn ends a browser that does not answer. It returns at once.
func (e *engine) condemn() {
	if e.give() {
		e.log.Warn("The browser does not answer any more. It is ended and started anew.")
	}
	e.work.Go(e.kill)
}

// refill opens the next blank page if there is none.
func (e *engine) refill() {
	e.mu.Lock()
	need := e.spare == nil
	e.mu.Unlock()
	if !need || e.isGone() {
		return
	}
	t, err := e.open(context.Background())
	if err != nil {
		return // the next check opens one itself, and reports it
	}
	e.mu.Lock()
	extra := t
	if e.spare == nil {
		e.spare, extra = t, nil
	}
	e.mu.Unlock()
	if extra != nil {
		_ = e.closeTab(extra)
	}
}

// closeTab closes a page, whatever it is doing, or says that this took too long.
func (e *engine) closeTab(t *tab) error {
	if passed(t.shut) {
		return nil
	}
	ctx, cancel := limit(context.Background(), e.limits.PageClose)
	defer cancel()
	err := do(ctx, e.gone, func() error { return t.page.Close() })
	if err != nil && !errors.Is(err, errLate) {
		return nil // closed already, or gone with its browser
	}
	return err
}

// alive asks the browser itself, past all pages, for a sign of life. It gives a
// busy machine the time of a closing page and more: ending a browser is dear.
func (e *engine) alive(ctx context.Context) error {
	ctx, cancel := limit(ctx, e.limits.PageClose+e.limits.Alive)
	defer cancel()
	return do(ctx, e.gone, func() error {
		if e.control == nil {
			_, err := e.context.Cookies("http://localhost/")
			return err
		}
		_, err := e.control.Send("Browser.getVersion", nil)
		return err
	})
}

// end closes the engine in order, each step within its limit, and kills what is
// left. It returns when nothing is; ctx only shortens the steps.
func (e *engine) end(ctx context.Context) {
	e.endOnce.Do(func() {
		defer close(e.ended)
		e.step(ctx, e.limits.ContextClose, func() error {
			if e.chrome.pid == 0 {
				return nil // not ours to close; stopping the driver lets go of it
			}
			return e.context.Close()
		})
		e.give()
		e.stopDriver(ctx)
	})
	<-e.ended
}

// kill ends an engine that does not answer, without asking it.
func (e *engine) kill() {
	e.give()
	e.endOnce.Do(func() {
		defer close(e.ended)
		if err := e.chrome.kill(); err != nil {
			e.log.Debug("killing the browser", "error", err)
		}
		e.stopDriver(context.Background())
	})
	<-e.ended
}

// stopDriver asks node to stop, and kills it and Chromium when they are still
// there afterwards. Killing node first lets Chromium, whose pipe it holds, go too.
func (e *engine) stopDriver(ctx context.Context) {
	e.step(ctx, e.limits.DriverStop, e.driver.Stop)
	for _, p := range []process{e.node, e.chrome} {
		if err := p.kill(); err != nil {
			e.log.Debug("killing what is left of the browser", "pid", p.pid, "error", err)
		}
		// The next browser cannot have the profile before this one is gone.
		p.awaitEnd(e.limits.DriverStop)
	}
	e.release()
}

// step runs one step of an orderly end, for no longer than d.
func (e *engine) step(ctx context.Context, d time.Duration, call func() error) {
	ctx, cancel := limit(ctx, d)
	defer cancel()
	if err := do(ctx, nil, call); err != nil && !closed(err) {
		e.log.Debug("closing the browser", "error", firstLine(err))
	}
}
