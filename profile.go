package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"notifio.app/notifio/monitor"
)

// profile is where the browser keeps its cookies.
func (p place) profile() string { return filepath.Join(p.data, "browser") }

// workingProfile is the profile, or "" for one that passes away with the browser where
// the real one may not be written: on a disk that can only be read, or in a folder that
// belongs to somebody else. Searches without a login are checked all the same. A disk
// that is merely full is no reason: Chromium puts up with that, and its cookies stay.
func (p place) workingProfile() (dir string, reason error) {
	dir = p.profile()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	err := os.Chmod(dir, 0o700)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(dir, ".notifio-"); err == nil {
			_ = probe.Close()
			_ = os.Remove(probe.Name())
		}
	}
	if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
		return "", err
	}
	return dir, nil
}

// moveOut gives the seat a browser with a passing profile when the one it has cannot
// start because its own may not be written any more.
func (s *seat) moveOut(trouble error) {
	if !errors.Is(trouble, monitor.ErrBrowser) || s.app.ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	old, move := s.b, s.settled
	if move {
		_, reason := s.app.place.workingProfile()
		move = reason != nil
	}
	if move {
		s.take(s.conf)
	}
	next := s.b
	s.mu.Unlock()
	if move {
		s.follow(s.app.ctx, old, next)
	}
}

// moveIn goes back to the real profile, once it may be written and nobody has a page
// open that would be closed by that.
func (s *seat) moveIn() {
	if !s.pages.TryLock() {
		return
	}
	defer s.pages.Unlock()
	s.mu.Lock()
	old, move := s.b, !s.settled
	if move {
		_, reason := s.app.place.workingProfile()
		move = reason == nil
	}
	if move {
		s.take(s.conf)
		s.app.log.Info("The browser's folder can be written again: it goes on signed in as before")
	}
	next := s.b
	s.mu.Unlock()
	if move {
		s.follow(s.app.ctx, old, next)
	}
}
