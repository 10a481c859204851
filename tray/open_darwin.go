package tray

import (
	"os/exec"
	"syscall"
)

func openURL(url string) error { return launch(exec.Command("/usr/bin/open", url)) }

func openFile(path string) error {
	if isText(path) {
		return launch(exec.Command("/usr/bin/open", "-t", path))
	}
	return launch(exec.Command("/usr/bin/open", path))
}

// detach keeps a signal to our process group, like Ctrl-C, from the program.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
