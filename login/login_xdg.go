//go:build !windows && !darwin

package login

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

func file() string { return filepath.Join(xdg.ConfigHome, "autostart", "notifio.desktop") }

func read() (program string, ok bool) {
	text, err := os.ReadFile(file())
	if err != nil {
		return "", false
	}
	return desktopProgram(text)
}

func write(e Entry) error { return replace(file(), desktopFile(e)) }

func remove() error {
	err := os.Remove(file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
