//go:build unix

package browser

import (
	"errors"
	"os/exec"
	"syscall"
)

// hidden is for systems where a command may bring a console.
func hidden(cmd *exec.Cmd) *exec.Cmd { return cmd }

// killGroup ends a process group for good. A group that is not there is not an
// error: it is what was wanted.
func killGroup(leader int) error {
	if leader <= 1 {
		return nil
	}
	if err := syscall.Kill(-leader, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}
