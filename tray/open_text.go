//go:build windows || darwin

package tray

import (
	"errors"
	"path/filepath"
	"strings"
)

// openFileAt is refused: what these systems open text with takes no line.
func openFileAt(string, int) error { return errNoLine }

var errNoLine = errors.New("the cursor cannot be put on a line here")

// isText says whether a file of ours is for a text editor.
func isText(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".toml", ".log", ".txt":
		return true
	}
	return false
}
