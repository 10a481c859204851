//go:build unix && !linux

package browser

import (
	"errors"
	"syscall"
)

// detach makes node the leader of its own process group, so that Ctrl-C reaches
// Notifio alone, which then ends the browser in order. These systems have no
// signal for the death of a parent: node ends when its pipe to Notifio closes.
func detach(attr *syscall.SysProcAttr) { attr.Setpgid = true }

// adopt has nothing to add to detach here.
func adopt(int) (release func(), err error) { return func() {}, nil }

// identity names a process; here a pid that was given to another one cannot be
// told from the first.
func identity(pid int) string {
	if err := syscall.Kill(pid, 0); err != nil && !errors.Is(err, syscall.EPERM) {
		return ""
	}
	return "running"
}

// uses says whether pid is running; on which profile cannot be told here.
func uses(pid int, _ string) bool { return identity(pid) != "" }

// memory cannot be told here, so browsers are recycled by the count of checks alone.
func memory(int) uint64 { return 0 }
