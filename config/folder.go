package config

import (
	"log/slog"
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// folder asks the system for notices about the folder of a file. The folder and
// not the file: an editor that saves by renaming leaves a watch on the old file,
// which never speaks again. What the system does not give is logged once, and
// done without.
type folder struct {
	file string
	open func() (*fsnotify.Watcher, error)
	log  *slog.Logger

	watcher *fsnotify.Watcher // nil: no notices
	at      os.FileInfo       // the folder that is watched; nil: none
	silent  bool              // it is in the log that there are none
}

// watch makes sure that the folder which is there now is the one watched. It is
// called again and again, because a folder can be deleted and made anew.
func (f *folder) watch() {
	dir := filepath.Dir(f.file)
	now, err := os.Stat(dir)
	if err != nil {
		f.forget(dir)
		f.missed(err)
		return
	}
	if f.watcher == nil {
		if f.watcher, err = f.open(); err != nil {
			f.watcher = nil
			f.missed(err)
			return
		}
	}
	if f.at != nil && os.SameFile(f.at, now) && len(f.watcher.WatchList()) > 0 {
		return
	}
	f.forget(dir)
	if err := f.watcher.Add(dir); err != nil {
		f.missed(err)
		return
	}
	f.at = now
	if f.silent {
		f.silent = false
		f.log.Info("Edits of the configuration are noticed at once again")
	}
}

func (f *folder) forget(dir string) {
	if f.watcher != nil && f.at != nil {
		f.watcher.Remove(dir) // an error says that it was gone already
	}
	f.at = nil
}

func (f *folder) missed(err error) {
	if !f.silent {
		f.silent = true
		f.log.Warn("The system gives no notices about the configuration folder; its file is looked at every few seconds instead", "error", err)
	}
}

// concerns leaves out the other files in the folder.
func (f *folder) concerns(e fsnotify.Event) bool {
	return filepath.Base(e.Name) == filepath.Base(f.file)
}

func (f *folder) events() <-chan fsnotify.Event {
	if f.watcher == nil {
		return nil
	}
	return f.watcher.Events
}

func (f *folder) errors() <-chan error {
	if f.watcher == nil {
		return nil
	}
	return f.watcher.Errors
}

func (f *folder) close() {
	if f.watcher != nil {
		f.watcher.Close()
		f.watcher = nil
	}
	f.at = nil
}
