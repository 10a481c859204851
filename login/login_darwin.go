package login

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

func file() string {
	return filepath.Join(xdg.Home, "Library", "LaunchAgents", agentLabel+".plist")
}

// read knows the file alone: what System Settings keeps about login items would
// take a program to be run.
func read() (program string, ok bool) {
	text, err := os.ReadFile(file())
	if err != nil {
		return "", false
	}
	return agentProgram(text)
}

// write does not load the agent: it is for the next login, and Notifio is running.
func write(e Entry) error { return replace(file(), agentFile(e)) }

// written says whether the file is what write made of e, to the last byte.
func written(e Entry) bool {
	text, err := os.ReadFile(file())
	return err == nil && bytes.Equal(text, agentFile(e))
}

func remove() error {
	err := os.Remove(file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
