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

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// Options configure a Browser. The zero value works: a visible browser of this
// machine with a temporary profile.
type Options struct {
	Executable string // "": the first one found, else one that is installed
	Headless   bool
	Endpoint   string // of a Chromium that runs elsewhere, over CDP; Executable, Headless and Profile are unused then
	// Profile is a folder of Notifio's own, made with mode 0700. Its owner holds
	// the lock of the data folder. "": a temporary one that Close removes.
	Profile   string
	DriverDir string // of Playwright's driver; "": below the user's cache folder
	// Portals are the user's own definitions; the embedded ones stand behind them.
	Portals []assets.Portal
	Log     *slog.Logger
	// Progress is told what is being fetched, or what is missing, in words, and ""
	// when the browser is ready. It may be called from any goroutine and must not block.
	Progress func(text string)
	// Demo turns "demo:NAME" into the loopback URL where that portal is served.
	Demo   func(url string) string
	Limits Limits // the zero value: DefaultLimits
}

// Browser loads and reads results pages. It implements monitor.Checker.
type Browser struct {
	options Options
	limits  Limits
	log     *slog.Logger
	reader  *reader
	script  string          // evaluated once per check, and again when there is more
	idle    idle            // what pages ask for and do not get
	life    context.Context // ends with Close
	die     context.CancelFunc

	mu       sync.Mutex
	engine   *engine   // nil, or perhaps gone
	attempt  *attempt  // to get a browser going, in flight; nil when there is none
	trouble  error     // why the last attempt failed; nil after a good one
	failures int       // attempts in a row
	again    time.Time // when the next attempt is due after a failed one
	saved    time.Time // when the session cookies were last saved
	probed   int       // e.checks when memory was last looked at
	temp     string    // the temporary profile, if there is one
	state    string    // what Progress was last told
}

// attempt is one try to find, install and launch a browser.
type attempt struct {
	done chan struct{} // closed at its end; err and engine are set then
	err  error
}

var _ monitor.Checker = (*Browser)(nil)

// New checks the options and reads the portal definitions. It starts nothing.
func New(o Options) (*Browser, error) {
	r, err := newReader(o.Portals)
	if err != nil {
		return nil, err
	}
	if o.Limits.Check == 0 {
		o.Limits = DefaultLimits()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	b := &Browser{options: o, limits: o.Limits, log: o.Log, reader: r, script: fmt.Sprintf(reading, assets.ExtractScript)}
	b.life, b.die = context.WithCancel(context.Background())
	return b, nil
}

// Start gets the browser going: it finds or installs what is needed, launches it,
// and tries again, with pauses, until that worked or ctx ends. It returns nil or
// the cause of ctx's end.
func (b *Browser) Start(ctx context.Context) error {
	for {
		if err := b.Prepare(ctx); err == nil || ctx.Err() != nil || b.life.Err() != nil {
			return err
		}
		pause := time.NewTimer(time.Until(b.due()))
		select {
		case <-pause.C:
		case <-ctx.Done():
		case <-b.life.Done():
		}
		pause.Stop()
	}
}

// Prepare makes one attempt to get the browser going, or joins the one in flight.
// Its error wraps monitor.ErrBrowser and says what is missing.
func (b *Browser) Prepare(ctx context.Context) error {
	b.mu.Lock()
	a := b.begin()
	b.mu.Unlock()
	if a == nil {
		return nil
	}
	select {
	case <-a.done:
		return a.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// due is when the next attempt may be made.
func (b *Browser) due() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.again
}

// begin returns the attempt in flight, or starts one; nil when a browser runs
// already. The caller holds mu.
func (b *Browser) begin() *attempt {
	if b.attempt != nil {
		return b.attempt
	}
	if b.engine != nil && !b.engine.isGone() {
		return nil
	}
	a := &attempt{done: make(chan struct{})}
	b.attempt = a
	go b.try(a, b.engine)
	return a
}

// try makes one attempt. old is the engine before it, which is brought to its end
// first: two browsers cannot share a profile.
func (b *Browser) try(a *attempt, old *engine) {
	if old != nil {
		old.kill()
	}
	e, err := b.bringUp(b.life)
	b.mu.Lock()
	defer b.mu.Unlock()
	defer close(a.done)
	b.attempt, b.engine, b.trouble, b.probed = nil, e, err, 0
	if err == nil {
		b.failures = 0
		b.tell("")
		return
	}
	pause := b.limits.Relaunch
	var missing *missingError
	if errors.As(err, &missing) {
		pause = step(b.limits.Pauses, b.failures)
	}
	b.failures++
	b.again = time.Now().Add(pause)
	a.err = fmt.Errorf("%w: %w", monitor.ErrBrowser, err)
	b.trouble = a.err
	if b.life.Err() == nil {
		b.log.Warn("The browser could not be started.", "error", err, "again in", pause)
		b.tell(fmt.Sprintf("%s. Trying again in %s.", capital(err.Error()), pause))
	}
}

// step is the nth of a list of pauses; the last one repeats.
func step(pauses []time.Duration, n int) time.Duration {
	if len(pauses) == 0 {
		return 0
	}
	return pauses[min(n, len(pauses)-1)]
}

// bringUp finds or installs what is needed and launches it.
func (b *Browser) bringUp(ctx context.Context) (*engine, error) {
	k, err := b.findKit(ctx)
	if err != nil {
		return nil, err
	}
	e, err := b.launch(ctx, k)
	var broken *driverError
	if errors.As(err, &broken) && smoke(ctx, k, b.limits) != nil && ctx.Err() == nil {
		b.log.Info("The browser driver is damaged and is installed anew.", "error", broken)
		if err := b.installDriver(ctx, k); err != nil {
			return nil, err
		}
		return b.launch(ctx, k)
	}
	return e, err
}

// launch starts a browser of ours, or attaches to the remote one.
func (b *Browser) launch(ctx context.Context, k kit) (*engine, error) {
	if b.options.Endpoint != "" {
		return connect(ctx, k, b.options.Endpoint, b.limits, b.log)
	}
	profile, err := b.profile()
	if err != nil {
		return nil, err
	}
	e, err := launch(ctx, k, profile, b.options.Headless, b.limits, b.log)
	if err != nil {
		return nil, err
	}
	b.giveCookies(ctx, e, profile)
	return e, nil
}

// profile makes the profile folder and returns its absolute path.
func (b *Browser) profile() (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	dir := b.options.Profile
	if dir == "" && b.temp == "" {
		temp, err := os.MkdirTemp("", "notifio-profile-")
		if err != nil {
			return "", fmt.Errorf("temporary profile: %w", err)
		}
		b.temp = temp
	}
	if dir == "" {
		return b.temp, nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("profile: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("profile: %w", err)
	}
	// A folder made by hand may be open to others; it will hold cookies.
	if err := os.Chmod(dir, 0o700); err != nil {
		return "", fmt.Errorf("profile: %w", err)
	}
	return dir, nil
}

// tell passes a change of state on. The caller holds mu, or there is no other yet.
func (b *Browser) tell(text string) {
	if text == b.state {
		return
	}
	b.state = text
	b.options.Progress(text)
}

// progress is tell for those who do not hold mu.
func (b *Browser) progress(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tell(text)
}

// running is the engine for a check. Without one it waits for a launch, but not
// for a download, and its error wraps monitor.ErrBrowser.
func (b *Browser) running(ctx context.Context) (*engine, error) {
	b.mu.Lock()
	if b.life.Err() != nil {
		b.mu.Unlock()
		return nil, fmt.Errorf("%w: it has been closed", monitor.ErrBrowser)
	}
	if b.engine == nil && b.attempt == nil && b.trouble != nil && time.Now().Before(b.again) {
		defer b.mu.Unlock()
		return nil, b.trouble
	}
	a := b.begin()
	e := b.engine
	b.mu.Unlock()
	if a == nil {
		return e, nil
	}
	patience, cancel := limit(ctx, b.limits.Patience)
	defer cancel()
	select {
	case <-a.done:
	case <-patience.Done():
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.state == "" {
			return nil, fmt.Errorf("%w: it is still being started", monitor.ErrBrowser)
		}
		return nil, fmt.Errorf("%w: it is not ready: %s", monitor.ErrBrowser, b.state)
	}
	if a.err != nil {
		return nil, a.err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.engine == nil || b.engine.isGone() {
		return nil, fmt.Errorf("%w: it ended right after it was started", monitor.ErrBrowser)
	}
	return b.engine, nil
}

// Close ends the browser and leaves nothing behind. The steps have their own
// limits, about 8 s in all; when ctx ends before, what is left is killed at once.
func (b *Browser) Close(ctx context.Context) error {
	b.die()
	b.mu.Lock()
	a, e := b.attempt, b.engine
	b.mu.Unlock()
	if a != nil {
		<-a.done // its calls are bound to life, so it ends now
		b.mu.Lock()
		e = b.engine
		b.mu.Unlock()
	}
	if e != nil {
		b.keepCookies(ctx, e)
		e.end(ctx)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.temp == "" {
		return nil
	}
	if err := os.RemoveAll(b.temp); err != nil {
		return fmt.Errorf("temporary profile: %w", err)
	}
	return nil
}
