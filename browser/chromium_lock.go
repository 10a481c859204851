package browser

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// singletonLock is the link that a Chromium leaves in its profile folder on Unix
// systems while it uses it. It points to "HOSTNAME-PID".
const singletonLock = "SingletonLock"

// lockState is what a profile's lock means for us.
type lockState int

const (
	lockFree  lockState = iota // absent, or of a process that has ended: Chromium takes it over itself
	lockStale                  // of another host name, which Chromium would respect for ever
	lockHeld                   // of a Chromium that is running
)

// judgeLock decides about a lock that points to target. The caller holds the lock
// of the data folder, so no other Notifio uses the profile; a folder carried to
// another machine, or a machine renamed, leaves a lock of another host name.
// running says whether a pid is a Chromium on this profile.
func judgeLock(target, hostname string, running func(pid int) bool) (lockState, int) {
	i := strings.LastIndexByte(target, '-')
	if i < 0 {
		return lockStale, 0
	}
	pid, err := strconv.Atoi(target[i+1:])
	if err != nil {
		return lockStale, 0
	}
	if target[:i] != hostname {
		return lockStale, pid
	}
	if running(pid) {
		return lockHeld, pid
	}
	return lockFree, pid
}

// freeProfile makes sure that a Chromium can start on profile. The caller holds
// the lock of the data folder.
func freeProfile(profile string) error {
	path := filepath.Join(profile, singletonLock)
	target, err := os.Readlink(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return nil // no link: another system's way, or Chromium will say
	}
	hostname, err := os.Hostname()
	if err != nil {
		return nil
	}
	state, pid := judgeLock(target, hostname, func(pid int) bool { return uses(pid, profile) })
	switch state {
	case lockHeld:
		return fmt.Errorf("profile %s is in use by a browser (process %d): close that browser", profile, pid)
	case lockStale:
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("profile lock: %w (remove %s)", err, path)
		}
	}
	return nil
}
