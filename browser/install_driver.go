package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// leastNode is the oldest major version of node that Playwright 1.64 runs on
// ("engines" in its package.json).
const leastNode = 20

// findNode is the node to run the driver with: the one that the user's
// environment names, or the machine's when it is new enough; "" for the one in
// the driver's folder, which is downloaded there.
func findNode(ctx context.Context, driver string) string {
	if named := os.Getenv("PLAYWRIGHT_NODEJS_PATH"); named != "" {
		return named
	}
	if _, err := os.Stat(filepath.Join(driver, nodeName())); err == nil {
		return ""
	}
	path, err := exec.LookPath("node")
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out, err := hidden(exec.CommandContext(ctx, path, "--version")).Output()
	if err != nil || nodeMajor(string(out)) < leastNode {
		return ""
	}
	if path, err = filepath.Abs(path); err != nil {
		return ""
	}
	return path
}

func nodeName() string {
	if runtime.GOOS == "windows" {
		return "node.exe"
	}
	return "node"
}

// nodeMajor reads what `node --version` prints, as in v20.20.2; 0 when it is
// something else.
func nodeMajor(out string) int {
	text, found := strings.CutPrefix(strings.TrimSpace(out), "v")
	if !found {
		return 0
	}
	major, _, _ := strings.Cut(text, ".")
	n, err := strconv.Atoi(major)
	if err != nil {
		return 0
	}
	return n
}

// driverThere says whether a driver seems to be installed. A folder gets its
// name only when its content has been tried out; damage done later shows when
// the driver does not start.
func driverThere(dir string) bool {
	if os.Getenv("PLAYWRIGHT_CLI_PATH") != "" {
		return true // the user's own; nothing is installed then
	}
	_, err := os.Stat(cli(dir))
	return err == nil
}

// cli is the driver's program.
func cli(dir string) string {
	if own := os.Getenv("PLAYWRIGHT_CLI_PATH"); own != "" {
		return own
	}
	return filepath.Join(dir, "package", "cli.js")
}

// command runs the driver's own command line, for smoke and browser downloads.
func (k kit) command(ctx context.Context, args ...string) *exec.Cmd {
	node := k.node
	if node == "" {
		node = filepath.Join(k.driver, nodeName())
	}
	return hidden(exec.CommandContext(ctx, node, append([]string{cli(k.driver)}, args...)...))
}

// smoke tries a driver out: it must tell its version.
func smoke(ctx context.Context, k kit, l Limits) error {
	ctx, cancel := limit(ctx, l.Launch)
	defer cancel()
	out, err := k.command(ctx, "--version").Output()
	if err != nil {
		return fmt.Errorf("browser driver: %w", err)
	}
	if !bytes.Contains(out, []byte(driverVersion())) {
		return fmt.Errorf("browser driver: version %q instead of %s", bytes.TrimSpace(out), driverVersion())
	}
	return nil
}

// installDriver fetches Playwright's driver into a folder beside its own, tries
// it out, and only then gives it its name. So a driver folder is never half
// installed by us, and one that is damaged is replaced as a whole.
func (b *Browser) installDriver(ctx context.Context, k kit) error {
	defer b.ticking("Downloading the browser driver (about 10 MB)")()
	ctx, cancel := limit(ctx, b.limits.Download)
	defer cancel()
	parent, name := filepath.Split(filepath.Clean(k.driver))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fmt.Errorf("folder for the browser driver: %w", err)
	}
	clearPartial(parent, name)
	partial, err := os.MkdirTemp(parent, name+".partial-")
	if err != nil {
		return fmt.Errorf("folder for the browser driver: %w", err)
	}
	defer func() { _ = os.RemoveAll(partial) }()
	if err := b.fetchDriver(ctx, partial, k.node); err != nil {
		return &missingError{"the browser driver", err}
	}
	if err := smoke(ctx, kit{driver: partial, node: k.node}, b.limits); err != nil {
		return &missingError{"the browser driver", err}
	}
	return swapIn(partial, k.driver)
}

// fetchDriver lets the library download the driver. The library has no deadlines:
// a download that is late is left behind, with a folder that nobody uses.
func (b *Browser) fetchDriver(ctx context.Context, dir, node string) error {
	var err error
	inEnvironment(map[string]string{"PLAYWRIGHT_NODEJS_PATH": node}, func() {
		err = do(ctx, nil, func() error { return playwright.Install(runOptions(dir, b.log)) })
	})
	if errors.Is(err, errLate) {
		return fmt.Errorf("the download took longer than %s", b.limits.Download)
	}
	return err
}

// swapIn gives a tried folder its name. When another Notifio was faster, its
// folder is as good.
func swapIn(partial, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("damaged browser driver: %w (remove %s)", err, dir)
	}
	if err := os.Rename(partial, dir); err != nil && !driverThere(dir) {
		return fmt.Errorf("folder for the browser driver: %w", err)
	}
	return nil
}

// clearPartial removes what installations left that were cut off long ago.
func clearPartial(parent, name string) {
	left, err := filepath.Glob(filepath.Join(parent, name+".partial-*"))
	if err != nil {
		return
	}
	for _, path := range left {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.RemoveAll(path)
		}
	}
}
