package tray

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// OpenURL opens a web page in the user's browser. Anything but an http or https
// address with a host is refused: links come from pages that we do not control. It
// returns within a second and does not wait for the browser.
func OpenURL(rawURL string) error {
	u, err := webURL(rawURL)
	if err != nil {
		return err
	}
	return openURL(u)
}

// OpenFile opens a file of ours in the program that the user has for it, a text
// editor in most cases. It returns within a second and does not wait for that
// program. The error of a missing file names it.
func OpenFile(path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	if _, err := os.Stat(abs); err != nil {
		return err // os.Stat names operation, path and cause
	}
	return openFile(abs)
}

// OpenFileAt is OpenFile with the cursor on a line, counted from 1, where the
// program that the user has for it can do that.
func OpenFileAt(path string, line int) error {
	abs, err := filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(abs)
	}
	if err == nil && line > 1 && openFileAt(abs, line) == nil {
		return nil
	}
	return OpenFile(path)
}

// webURL is rawURL, normalised, when it may be handed to a browser.
func webURL(rawURL string) (string, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return "", errors.New("the link is not a valid address")
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return "", fmt.Errorf("only http and https links are opened, not %q", clean(rawURL, textRunes))
	}
	return u.String(), nil
}

// soon is how long a program gets to fail before it counts as started.
const soon = 500 * time.Millisecond

// launch starts a program that outlives us and reports it when it fails at once.
func launch(cmd *exec.Cmd) error {
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(cmd.Path), err)
		}
		return nil
	case <-time.After(soon):
		return nil
	}
}
