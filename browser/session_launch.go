package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/mxschmitt/playwright-go"
)

// environment guards what a child process inherits: the variables of this
// process, and the attributes that the library keeps for all of its commands.
var environment sync.Mutex

// driverEnv are the variables that node is started with. node is "" for the one
// that came with the driver.
func driverEnv(node string) map[string]string {
	env := map[string]string{"PLAYWRIGHT_NODEJS_PATH": node}
	if os.Getenv("NODE_OPTIONS") == "" {
		env["NODE_OPTIONS"] = "--max-semi-space-size=1" // MB; saves 9 MB and costs nothing that shows
	}
	return env
}

// inEnvironment runs f with the given variables set (or, for "", unset) and puts
// back what was there.
func inEnvironment(vars map[string]string, f func()) {
	environment.Lock()
	defer environment.Unlock()
	for name, value := range vars {
		before, was := os.LookupEnv(name)
		if value == "" {
			_ = os.Unsetenv(name)
		} else {
			_ = os.Setenv(name, value)
		}
		defer func() {
			if was {
				_ = os.Setenv(name, before)
			} else {
				_ = os.Unsetenv(name)
			}
		}()
	}
	f()
}

// runOptions is the one value for installing and running the driver, so that
// both use the same folder. The library redirects the log of the whole program
// unless both Stderr and Logger are set.
func runOptions(dir string, log *slog.Logger) *playwright.RunOptions {
	return &playwright.RunOptions{
		DriverDirectory: dir, SkipInstallBrowsers: true,
		Stdout: io.Discard, Stderr: lines{log}, Logger: slog.New(slog.DiscardHandler),
	}
}

// lines passes what node prints on to the log, one record a line.
type lines struct{ log *slog.Logger }

func (l lines) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		l.log.Debug("browser driver", "says", strings.TrimSpace(line))
	}
	return len(p), nil
}

// kit is what a launch needs, as found or installed on this machine.
type kit struct {
	driver     string // the folder of Playwright's driver
	node       string // the node that runs it; "": the one in that folder
	executable string // the browser; "": the one that the driver downloads, or a remote one
}

// driverError is a driver that did not start, perhaps because it is half installed.
type driverError struct{ err error }

func (d *driverError) Error() string { return "browser driver: " + firstLine(d.err) }
func (d *driverError) Unwrap() error { return d.err }

// startDriver starts node, and gives up after limits.Launch.
func (e *engine) startDriver(ctx context.Context, k kit) error {
	ctx, cancel := limit(ctx, e.limits.Launch)
	defer cancel()
	var err error
	inEnvironment(driverEnv(k.node), func() {
		options := runOptions(k.driver, e.log)
		if d, err := playwright.NewDriver(options); err == nil {
			// The library hands out the attributes themselves, not a copy: what is
			// set here holds for the driver that Run starts.
			detach(d.Command().SysProcAttr)
		}
		e.driver, err = e.runDriver(ctx, options)
	})
	if err != nil {
		return &driverError{err}
	}
	e.node = processOf(e.driver.Pid())
	if e.release, err = adopt(e.node.pid); err != nil {
		e.log.Debug("the browser may outlive a killed Notifio", "error", err)
		e.release = func() {}
	}
	return nil
}

// runDriver calls playwright.Run on a thread that stays as long as the engine:
// the kernel's signal for the death of a parent comes when the thread that
// started the child ends, not when the program does.
func (e *engine) runDriver(ctx context.Context, options *playwright.RunOptions) (*playwright.Playwright, error) {
	type started struct {
		driver *playwright.Playwright
		err    error
	}
	back := make(chan started)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		driver, err := guarded(func() (*playwright.Playwright, error) { return playwright.Run(options) })
		select {
		case back <- started{driver, err}:
			if err == nil {
				<-e.ended
			}
		case <-ctx.Done(): // nobody waits for it any more
			if err == nil {
				_ = processOf(driver.Pid()).kill()
			}
		}
	}()
	select {
	case r := <-back:
		return r.driver, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// launch starts a driver and a Chromium with the given profile, visible or not.
func launch(ctx context.Context, k kit, profile string, headless bool, l Limits, log *slog.Logger) (*engine, error) {
	e := &engine{limits: l, log: log, release: func() {}, gone: make(chan struct{}), ended: make(chan struct{})}
	if err := freeProfile(profile); err != nil {
		return nil, err
	}
	if err := e.startDriver(ctx, k); err != nil {
		return nil, err
	}
	if err := e.startChromium(ctx, k.executable, profile, headless); err != nil {
		e.kill()
		return nil, err
	}
	e.ready(ctx)
	return e, nil
}

// startChromium launches the persistent context, and learns which process it is.
func (e *engine) startChromium(ctx context.Context, executable, profile string, headless bool) error {
	ctx, cancel := limit(ctx, e.limits.Launch)
	defer cancel()
	if executable == "" {
		executable = e.driver.Chromium.ExecutablePath()
	}
	e.program = fileOf(executable)
	var err error
	e.context, err = within(ctx, e.gone, nil, func() (playwright.BrowserContext, error) {
		return e.driver.Chromium.LaunchPersistentContext(profile, launchOptions(executable, headless, e.limits))
	})
	if err != nil {
		return fmt.Errorf("starting %s: %w", executable, launchTrouble(err))
	}
	e.context.OnClose(func(playwright.BrowserContext) { e.give() })
	e.control, err = within(ctx, e.gone, nil, func() (playwright.CDPSession, error) {
		return e.context.Browser().NewBrowserCDPSession()
	})
	if err != nil {
		return fmt.Errorf("starting %s: %w", executable, err)
	}
	info, err := within(ctx, e.gone, nil, func() (any, error) { return e.control.Send("SystemInfo.getProcessInfo", nil) })
	if err != nil {
		return fmt.Errorf("starting %s: %w", executable, err)
	}
	e.chrome = processOf(browserPid(info))
	return nil
}

// connect attaches to a Chromium that runs elsewhere. It is not ours: nothing of
// it is closed but the pages that Notifio opened.
func connect(ctx context.Context, k kit, endpoint string, l Limits, log *slog.Logger) (*engine, error) {
	e := &engine{limits: l, log: log, release: func() {}, gone: make(chan struct{}), ended: make(chan struct{})}
	if err := e.startDriver(ctx, k); err != nil {
		return nil, err
	}
	ctx, cancel := limit(ctx, l.Launch)
	defer cancel()
	remote, err := within(ctx, e.gone, nil, func() (playwright.Browser, error) {
		return e.driver.Chromium.ConnectOverCDP(endpoint)
	})
	if err == nil && len(remote.Contexts()) == 0 {
		err = errors.New("it has no window to work in")
	}
	if err != nil {
		e.kill()
		return nil, fmt.Errorf("browser at %s: %w (is it running, with --remote-debugging-port?)", endpoint, err)
	}
	e.context = remote.Contexts()[0]
	remote.OnDisconnected(func(playwright.Browser) { e.give() })
	e.ready(ctx)
	return e, nil
}

// ready makes the first page the blank one that the first check will take.
func (e *engine) ready(ctx context.Context) {
	if pages := e.context.Pages(); e.chrome.pid != 0 && len(pages) == 1 {
		e.spare = e.watch(pages[0])
		return
	}
	if t, err := e.open(ctx); err == nil {
		e.spare = t
	}
}

// browserPid finds the browser process in an answer of SystemInfo.getProcessInfo;
// 0 when there is none.
func browserPid(info any) int {
	answer, _ := info.(map[string]any)
	// The library unwraps an answer that has a single entry.
	list, ok := answer["processInfo"].([]any)
	if !ok {
		list, _ = info.([]any)
	}
	for _, entry := range list {
		p, _ := entry.(map[string]any)
		if id, ok := p["id"].(float64); ok && p["type"] == "browser" {
			return int(id)
		}
	}
	return 0
}

// launchTrouble says in a line what Chromium printed in pages when it did not
// start, and what to do about it where that is known.
func launchTrouble(err error) error {
	text := err.Error()
	switch {
	case errors.Is(err, errLate):
		return errors.New("it did not start in time")
	case strings.Contains(text, "error while loading shared libraries"):
		_, lib, _ := strings.Cut(text, "error while loading shared libraries: ")
		lib, _, _ = strings.Cut(lib, ":")
		return fmt.Errorf("the system library %s is missing (install the browser with your system's package manager, or set executable under [browser])", lib)
	case strings.Contains(text, "No usable sandbox"):
		return errors.New("this system does not allow its sandbox (install the browser from your system's package manager, which brings a profile for it)")
	case strings.Contains(text, "Missing X server"), strings.Contains(text, "$DISPLAY"):
		return errors.New("there is no display to show a window on (set headless = true under [browser])")
	case strings.Contains(text, "existing browser session"), strings.Contains(text, "ProcessSingleton"), strings.Contains(text, "profile appears to be in use"):
		return errors.New("its profile is in use by another browser: close that one")
	case strings.Contains(text, "ENOENT"), strings.Contains(text, "executable doesn't exist"):
		return errors.New("there is no such program any more")
	case strings.Contains(text, "EACCES"):
		return errors.New("it may not be run by this user")
	}
	return errors.New(firstLine(err))
}
