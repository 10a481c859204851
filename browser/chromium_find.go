package browser

import (
	"bytes"

	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// browserNames are what Chrome, Chromium and Edge are called on a PATH.
var browserNames = []string{
	"google-chrome-stable", "google-chrome", "chromium", "chromium-browser",
	"microsoft-edge-stable", "microsoft-edge",
}

// usualPlaces are where the installers of a system put the three browsers.
// Folders that the environment does not name are left out.
func usualPlaces(goos string, env func(string) string) []string {
	var places []string
	under := func(root string, paths ...string) {
		if root == "" {
			return
		}
		for _, p := range paths {
			places = append(places, filepath.Join(root, filepath.FromSlash(p)))
		}
	}
	switch goos {
	case "windows":
		for _, root := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			under(env(root), "Google/Chrome/Application/chrome.exe", "Chromium/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe")
		}
	case "darwin":
		apps := []string{
			"Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"Applications/Chromium.app/Contents/MacOS/Chromium",
			"Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
		}
		under("/", apps...)
		under(env("HOME"), apps...)
	default:
		under("/opt", "google/chrome/chrome", "chromium.org/chromium/chromium", "microsoft/msedge/msedge")
		under("/usr/lib", "chromium/chromium", "chromium-browser/chromium-browser")
		under("/usr/lib64", "chromium-browser/chromium-browser")
	}
	return places
}

// firstInstalled is the first usable browser of this machine, "" for none.
func firstInstalled() string {
	for _, name := range append(append([]string{}, browserNames...), usualPlaces(runtime.GOOS, os.Getenv)...) {
		if path, err := runnable(name); err == nil && !isSnap(path) {
			return path
		}
	}
	return ""
}

// runnable resolves a name on the PATH, or a path, to something that can be run.
func runnable(name string) (string, error) {
	path, err := exec.LookPath(name)
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return "", errors.New("there is no such program")
	case errors.Is(err, fs.ErrPermission):
		return "", errors.New("it cannot be run")
	case err != nil:
		return "", err
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("its folder cannot be told: %w", err)
	}
	return path, nil
}

// isSnap says whether a browser comes as a snap, directly or through a script
// that starts one. Snaps may not read hidden folders in the home folder, where
// the profile is.
func isSnap(path string) bool {
	if target, err := filepath.EvalSymlinks(path); err == nil && filepath.Base(target) == "snap" {
		return true
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	const enough = 4 << 10
	head, err := io.ReadAll(io.LimitReader(file, enough))
	return err == nil && bytes.HasPrefix(head, []byte("#!")) && bytes.Contains(head, []byte("/snap/bin/"))
}
