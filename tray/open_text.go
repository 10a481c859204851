//go:build windows || darwin

package tray

import (
	"path/filepath"
	"strings"
)

// isText says whether a file of ours is for a text editor.
func isText(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".toml", ".log", ".txt":
		return true
	}
	return false
}
