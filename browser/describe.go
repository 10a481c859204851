package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/adrg/xdg"
)

// Kit is what a browser would be started with, as words: what is missing is said in
// place of a version.
type Kit struct {
	Browser string // its path and version, or why there is none
	Driver  string // Playwright's driver and node
	Ready   bool   // nothing would have to be installed first
}

// Describe looks for browser and driver as a start would, and neither installs nor
// starts them; it only asks for their versions.
func Describe(ctx context.Context, o Options) Kit {
	k := kit{driver: o.DriverDir}
	if k.driver == "" {
		k.driver = filepath.Join(xdg.CacheHome, "notifio", "driver-"+driverVersion())
	}
	k.node = findNode(ctx, k.driver)
	driver, driverOK := k.describe(ctx)
	found, browserOK := (&Browser{options: o}).describe(ctx, k)
	return Kit{Browser: found, Driver: driver, Ready: driverOK && browserOK}
}

func (k kit) describe(ctx context.Context) (text string, ok bool) {
	if !driverThere(k.driver) {
		return "Playwright " + driverVersion() + ", not installed yet", false
	}
	node := k.node
	if node == "" {
		node = filepath.Join(k.driver, nodeName())
	}
	version, err := hidden(exec.CommandContext(ctx, node, "--version")).Output()
	if err != nil {
		return fmt.Sprintf("Playwright %s, but its node (%s) does not run: %v", driverVersion(), node, err), false
	}
	return fmt.Sprintf("Playwright %s in %s, node %s", driverVersion(), k.driver, strings.TrimSpace(string(version))), true
}

func (b *Browser) describe(ctx context.Context, k kit) (text string, ok bool) {
	if b.options.Endpoint != "" {
		return "a Chromium that runs elsewhere (endpoint under [browser])", true
	}
	f := b.lookAround(ctx, k)
	switch choose(f) {
	case rejectConfigured:
		return fmt.Sprintf("executable %q under [browser]: %v", f.configured, f.problem), false
	case useConfigured, useInstalled:
		version, err := browserVersion(ctx, f.path())
		if err != nil {
			return fmt.Sprintf("%s, but it does not tell its version: %v", f.path(), err), false
		}
		return f.path() + ", " + version, true
	case useDownloaded:
		return "the driver's own Chromium", true
	}
	return "none is installed", false
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+){2,3}`)

// browserVersion asks the program, except on Windows, where it would open a window
// and has its version as a folder beside it.
func browserVersion(ctx context.Context, path string) (string, error) {
	if runtime.GOOS == "windows" {
		beside, err := os.ReadDir(filepath.Dir(path))
		for _, e := range beside {
			if v := versionNumber.FindString(e.Name()); e.IsDir() && v == e.Name() {
				return v, nil
			}
		}
		if err == nil {
			err = errors.New("no folder of a version is beside it")
		}
		return "", err
	}
	out, err := hidden(exec.CommandContext(ctx, path, "--version")).Output()
	if err != nil {
		return "", err
	}
	if v := versionNumber.FindString(string(out)); v != "" {
		return v, nil
	}
	said, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return "", fmt.Errorf("it says %q", said)
}
