// Package login makes the system start Notifio when its user logs in, or not, and
// says which of the two it will do.
//
// Linux and its relatives keep that in a .desktop file below $XDG_CONFIG_HOME,
// macOS in a LaunchAgent, Windows in the registry. How such an entry is written and
// read are plain functions, the same on every system; only reading and writing the
// entry itself differs. Nothing is cached: others may change it at any time.
package login

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Entry is a program that is to be started at login.
type Entry struct {
	Program string   // an absolute path
	Args    []string // what it is started with
}

// Self is this program, to be started with these arguments.
func Self(args ...string) (Entry, error) {
	program, err := os.Executable()
	if err != nil {
		return Entry{}, fmt.Errorf("find this program: %w", err)
	}
	return Entry{Program: program, Args: args}, nil
}

// On says whether the system starts this very program at login. One that lies
// elsewhere, and an entry that the user or the system has switched off, do not count.
// It costs about as much as reading a small file.
func (e Entry) On() bool {
	program, ok := read()
	return ok && e.runs(program)
}

// Set makes the system start the program at login, or not. To switch off what is
// not on is no error.
func (e Entry) Set(on bool) error {
	if !on {
		if err := remove(); err != nil {
			return fmt.Errorf("do not start at login: %w", err)
		}
		return nil
	}
	if err := e.writable(); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	if err := write(e); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return nil
}

// Replace puts e where the system starts old, just as Set wrote it, and says whether
// it did. An entry that somebody has edited or switched off is theirs, and stays.
func (e Entry) Replace(old Entry) (done bool, err error) {
	if !old.On() || !written(old) {
		return false, nil
	}
	if err := e.Set(true); err != nil {
		return false, err
	}
	return true, nil
}

// runs says whether program leads to e's.
func (e Entry) runs(program string) bool {
	if program == e.Program {
		return true
	}
	if !filepath.IsAbs(program) {
		program, _ = exec.LookPath(program)
	}
	a, err := os.Stat(program)
	if err != nil {
		return false
	}
	b, err := os.Stat(e.Program)
	return err == nil && os.SameFile(a, b)
}

// writable refuses what no kind of entry can hold.
func (e Entry) writable() error {
	if !filepath.IsAbs(e.Program) {
		return fmt.Errorf("%q is not a whole path", e.Program)
	}
	for _, s := range append([]string{e.Program}, e.Args...) {
		if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }) {
			return fmt.Errorf("%q has a character that cannot be written there: move Notifio to another folder", s)
		}
	}
	return nil
}

// replace writes a file whole or not at all, in a folder that it makes.
func replace(name string, text []byte) (err error) {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".notifio-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// command is program and arguments as one list.
func (e Entry) command() []string { return slices.Concat([]string{e.Program}, e.Args) }
