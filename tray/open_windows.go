package tray

import (
	"fmt"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

func openURL(url string) error { return shellExecute(url) }

// openFile falls back to Notepad: a fresh Windows has no program for .toml files.
func openFile(path string) error {
	err := shellExecute(path)
	if err != nil && isText(path) {
		return launch(exec.Command("notepad.exe", path))
	}
	return err
}

// shellExecute opens what in the program that Windows has for it, without a command
// line that could be read in another way.
func shellExecute(what string) error {
	file, err := windows.UTF16PtrFromString(what)
	if err != nil {
		return fmt.Errorf("open %q: %w", what, err)
	}
	if err := windows.ShellExecute(0, nil, file, nil, nil, windows.SW_SHOWNORMAL); err != nil {
		return fmt.Errorf("open %s: %w", what, err)
	}
	return nil
}

// detach keeps a Ctrl-C in our console from the program.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}
