package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/gofrs/flock"
	"gopkg.in/natefinch/lumberjack.v2"
)

// place is where one Notifio keeps its things.
type place struct {
	config string // the file
	data   string // the folder
	fresh  bool   // there was no configuration when the program started
}

func defaultData() string { return filepath.Join(xdg.StateHome, "notifio") }

// newPlace makes the data folder, for the user alone.
func newPlace(configFile, dataDir string) (place, error) {
	configFile, err := filepath.Abs(configFile)
	if err != nil {
		return place{}, fmt.Errorf("find the configuration: %w", err)
	}
	dataDir, err = filepath.Abs(dataDir)
	if err != nil {
		return place{}, fmt.Errorf("find the data folder: %w", err)
	}
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return place{}, fmt.Errorf("make the data folder: %w (choose another one with --data)", err)
	}
	_, err = os.Lstat(configFile)
	return place{config: configFile, data: dataDir, fresh: errors.Is(err, fs.ErrNotExist)}, nil
}

func (p place) mailFolder() string { return filepath.Join(p.data, "mail") }
func (p place) logFile() string    { return filepath.Join(p.data, "activity.log") }

// lock keeps a second Notifio out of the data folder. It is free again the
// moment the process is gone, however it ends. Where the folder cannot be
// written there is nothing to share, and no lock.
func (p place) lock() (unlock func(), taken bool) {
	l := flock.New(filepath.Join(p.data, "notifio.lock"), flock.SetPermissions(0o600))
	got, err := l.TryLock()
	if err == nil && !got {
		return nil, false
	}
	return func() { l.Unlock() }, true
}

// log opens the activity log: sentences for the user, facts as attributes, one
// line each. Three old ones of 5 MB are kept.
func (p place) log() (*slog.Logger, io.Closer) {
	file := &lumberjack.Logger{Filename: p.logFile(), MaxSize: 5, MaxBackups: 3}
	return slog.New(slog.NewTextHandler(file, nil)), file
}
