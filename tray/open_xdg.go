//go:build !windows && !darwin

package tray

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
)

func openURL(url string) error   { return xdgOpen(url) }
func openFile(path string) error { return xdgOpen(path) }

// openers are tried in turn: the first one is on every desktop, the second one
// where GNOME's libraries are.
var openers = [][]string{{"xdg-open"}, {"gio", "open"}}

func xdgOpen(what string) error {
	var failed error
	for _, o := range openers {
		path, err := exec.LookPath(o[0])
		if err != nil {
			continue
		}
		if err = launch(exec.Command(path, append(o[1:len(o):len(o)], what)...)); err == nil {
			return nil
		}
		failed = errors.Join(failed, err)
	}
	if failed == nil {
		failed = errors.New("xdg-open is missing (it is in the package xdg-utils)")
	}
	return fmt.Errorf("open %s: %w", what, failed)
}

// detach keeps a signal to our process group, like Ctrl-C, from the program.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
