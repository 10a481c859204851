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
	"slices"
	"strings"
	"sync"
)

// aptInstall installs Debian's Chromium, after refreshing the lists of packages
// when it is not found without.
func (b *Browser) aptInstall(ctx context.Context) error {
	defer b.ticking("Installing Chromium with apt-get")()
	ctx, cancel := limit(ctx, b.limits.Install)
	defer cancel()
	if apt(ctx, "install", "-y", "chromium") == nil {
		return nil
	}
	if err := apt(ctx, "update"); err != nil {
		return err
	}
	return apt(ctx, "install", "-y", "chromium")
}

func apt(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "apt-get", args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return fmt.Errorf("apt-get %s: %w", args[0], context.Cause(ctx))
	}
	if err != nil {
		return fmt.Errorf("apt-get %s: %w: %s", args[0], err, lastLine(out))
	}
	return nil
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// debian says whether this is a Debian, or close to one, with apt-get. Ubuntu is
// not: its package is a snap, which cannot use a profile below a hidden folder.
func debian() bool {
	if runtime.GOOS != "linux" {
		return false
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return false
	}
	release, err := os.ReadFile("/etc/os-release")
	return err == nil && debianLike(string(release))
}

// debianLike reads an os-release file (freedesktop.org, os-release(5)).
func debianLike(release string) bool {
	values := map[string]string{}
	for line := range strings.Lines(release) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			values[name] = strings.Trim(value, `"'`)
		}
	}
	return values["ID"] == "debian" ||
		values["ID"] != "ubuntu" && slices.Contains(strings.Fields(values["ID_LIKE"]), "debian")
}

// downloaded says whether the driver's own browser is complete.
func downloaded(ctx context.Context, k kit) bool {
	out, err := k.command(ctx, "install", "--dry-run", "--no-shell", "chromium").Output()
	if err != nil {
		return false
	}
	place := installLocation(string(out))
	if place == "" {
		return false
	}
	_, err = os.Stat(filepath.Join(place, "INSTALLATION_COMPLETE"))
	return err == nil
}

// installLocation finds the browser's folder in what a dry run prints: the first
// one, which is Chromium's; helpers like ffmpeg follow.
func installLocation(out string) string {
	for line := range strings.Lines(out) {
		if _, place, ok := strings.Cut(line, "Install location:"); ok {
			return strings.TrimSpace(place)
		}
	}
	return ""
}

// downloadBrowser lets the driver fetch its own Chromium.
func (b *Browser) downloadBrowser(ctx context.Context, k kit) error {
	const text = "Downloading Chromium (about 180 MB)"
	b.progress(text + " …")
	ctx, cancel := limit(ctx, b.limits.Download)
	defer cancel()
	cmd := k.command(ctx, "install", "--no-shell", "chromium")
	said := &percent{tell: func(p string) { b.progress(text + ": " + p) }}
	cmd.Stdout, cmd.Stderr = said, said
	err := cmd.Run()
	switch {
	case errors.Is(context.Cause(ctx), errLate):
		err = fmt.Errorf("the download took longer than %s", b.limits.Download)
	case err != nil:
		err = fmt.Errorf("%w: %s", err, said.last())
	case !downloaded(ctx, k):
		err = errors.New("the download is not complete")
	}
	if err != nil {
		return &missingError{"a browser (Chrome, Chromium or Edge)", err}
	}
	return nil
}

var percentage = regexp.MustCompile(`(\d{1,3})% of`)

// percent passes on the percentages that a download prints, and remembers its
// last words. It is used for stdout and stderr together.
type percent struct {
	mu   sync.Mutex
	tell func(string)
	told string
	text []byte // the last kilobyte or so
}

func (p *percent) Write(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = append(p.text, data...)
	const keep = 1000
	p.text = p.text[max(0, len(p.text)-keep):]
	if all := percentage.FindAllSubmatch(data, -1); all != nil {
		if now := string(all[len(all)-1][1]) + " %"; now != p.told {
			p.told = now
			p.tell(now)
		}
	}
	return len(data), nil
}

func (p *percent) last() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return lastLine(p.text)
}
