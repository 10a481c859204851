package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/mxschmitt/playwright-go"
)

// bare is what all of Notifio is compared with: a Playwright session as its manual
// has it, with the switches that Playwright chooses and one page that stays open.
type bare struct {
	driver  *playwright.Playwright
	context playwright.BrowserContext
	page    playwright.Page
}

// startBare launches one on a profile folder, with more switches if there are any.
// Browser, driver and node are those that Notifio uses.
func startBare(profile string, switches ...string) (*bare, error) {
	o := &playwright.RunOptions{
		SkipInstallBrowsers: true, Stdout: io.Discard, Stderr: io.Discard, Logger: slog.New(slog.DiscardHandler),
	}
	d, err := playwright.NewDriver(o)
	if err != nil {
		return nil, err
	}
	o.DriverDirectory = filepath.Join(xdg.CacheHome, "notifio", "driver-"+d.Version)
	if err := chooseNode(o.DriverDirectory); err != nil {
		return nil, err
	}
	b := &bare{}
	if b.driver, err = playwright.Run(o); err != nil {
		return nil, fmt.Errorf("bare session: %w (run go run ./scripts/prepare first)", err)
	}
	options := playwright.BrowserTypeLaunchPersistentContextOptions{
		Headless: playwright.Bool(true), ChromiumSandbox: playwright.Bool(os.Geteuid() != 0), Args: switches,
	}
	if path := chromium(); path != "" {
		options.ExecutablePath = playwright.String(path)
	}
	if b.context, err = b.driver.Chromium.LaunchPersistentContext(profile, options); err != nil {
		b.close()
		return nil, fmt.Errorf("bare session: %w", err)
	}
	b.page = b.context.Pages()[0]
	return b, nil
}

func (b *bare) close() {
	if b.context != nil {
		_ = b.context.Close()
	}
	_ = b.driver.Stop()
}

// chooseNode leads the driver to the machine's node where it has none of its own.
func chooseNode(driver string) error {
	if _, err := os.Stat(filepath.Join(driver, "node")); err == nil || os.Getenv("PLAYWRIGHT_NODEJS_PATH") != "" {
		return nil
	}
	path, err := exec.LookPath("node")
	if err != nil {
		return fmt.Errorf("bare session: %w", err)
	}
	return os.Setenv("PLAYWRIGHT_NODEJS_PATH", path)
}

// chromium is the browser that the tests use; "" where it is the driver's own.
func chromium() string {
	for _, name := range []string{os.Getenv("NOTIFIO_BROWSER"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// beBare is a bare session as a process of its own. It says when it is ready.
func beBare(profile string, switches []string) error {
	b, err := startBare(profile, switches...)
	if err != nil {
		return err
	}
	defer b.close()
	fmt.Println("ready")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}
