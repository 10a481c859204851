package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
)

// Path is where notifio.toml is looked for: $XDG_CONFIG_HOME/notifio on Linux, the
// system's own place elsewhere. The environment is read at the start of the
// program; after a change to it, call xdg.Reload.
func Path() string { return filepath.Join(xdg.ConfigHome, "notifio", "notifio.toml") }

// Load reads and checks a file. Its error is of type Problems. Beyond Parse it
// warns of what only the machine can tell: a browser that is not there, and a
// password that others can read.
func Load(file string) (Config, error) {
	r := read(file)
	return r.config(file)
}

// reading is what was found at a file's path at one moment.
type reading struct {
	data   string
	shared bool   // others on this machine may read it
	fault  string // why there is no data, and what to do
	err    error
}

func (r reading) config(file string) (Config, error) {
	if r.fault != "" {
		return Config{}, Problems{{File: file, Text: r.fault, Err: r.err}}
	}
	c, err := Parse(file, []byte(r.data))
	if err != nil {
		return Config{}, err
	}
	c.lookAround(file, r.shared)
	return c, nil
}

func read(file string) reading {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isLink(file):
		return reading{fault: "is a link to a file that is not there: put that file back, or remove the link", err: err}
	case errors.Is(err, fs.ErrNotExist):
		return reading{fault: "is not there: put it back, or start Notifio again for a new one", err: err}
	case err != nil:
		return reading{fault: "cannot be read (" + cause(err) + "): check its permissions", err: err}
	case info.IsDir():
		return reading{fault: "is a folder: put the file of that name in its place"}
	case !info.Mode().IsRegular():
		return reading{fault: "is not an ordinary file: put one of that name in its place"}
	}
	f, err := os.Open(file)
	if err != nil {
		return reading{fault: "cannot be read (" + cause(err) + "): check its permissions", err: err}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return reading{fault: "cannot be read (" + cause(err) + ")", err: err}
	}
	return reading{data: string(data), shared: readableByOthers(info)}
}

func isLink(file string) bool {
	info, err := os.Lstat(file)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// cause is the system's word without the path, which the problem has already.
func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// lookAround adds the warnings that depend on the machine. A browser that is not
// there is no mistake in the file: it may be in the middle of an update.
func (c *Config) lookAround(file string, shared bool) {
	if e := c.Browser.Executable; e != "" && !runnable(e) {
		c.Warnings = append(c.Warnings, Problem{File: file, Line: c.executableLine,
			Text: fmt.Sprintf("[browser] executable %s is not a program on this machine: install it, or remove the line and Notifio picks a browser", quote(e))})
	}
	if c.Mail != nil && c.Mail.Password != "" && shared {
		c.Warnings = append(c.Warnings, Problem{File: file, Line: c.passwordLine,
			Text: "[mail] password can be read by other users of this machine: run chmod 600 on the file, or remove the line and run notifio password"})
	}
	sortByLine(c.Warnings)
}

func runnable(executable string) bool {
	if strings.ContainsAny(executable, `/\`) {
		info, err := os.Stat(executable)
		return err == nil && info.Mode().IsRegular()
	}
	_, err := exec.LookPath(executable)
	return err == nil
}

// Create writes the first configuration, for the user alone (0600, the folder
// 0700), and says whether it did: a file that is there is never touched. The file
// appears whole or not at all.
func Create(file, example string) (created bool, err error) {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false, fmt.Errorf("make the folder for %s: %w", file, err)
	}
	if _, err := os.Lstat(file); err == nil {
		return false, nil
	}
	temp, err := os.CreateTemp(dir, ".notifio-*.toml")
	if err != nil {
		return false, fmt.Errorf("write %s: %w", file, err)
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(example)
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return false, fmt.Errorf("write %s: %w", file, err)
	}
	return place(temp.Name(), file, example)
}

// place gives a finished file its name, unless another has it by now.
func place(temp, file, example string) (bool, error) {
	err := os.Link(temp, file)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err == nil {
		return true, nil
	}
	// A file system without hard links: the name is taken first, then filled.
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("write %s: %w", file, err)
	}
	_, err = f.WriteString(example)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(file)
		return false, fmt.Errorf("write %s: %w", file, err)
	}
	return true, nil
}
