//go:build !windows && !darwin

package login

import (
	"bytes"
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

// written says whether the file is what write made of e, to the last byte.
func written(e Entry) bool {
	text, err := os.ReadFile(file())
	return err == nil && bytes.Equal(text, desktopFile(e))
}

func remove() error {
	err := os.Remove(file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
