package tray

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"git.sr.ht/~jackmordaunt/go-toast/wintoast"
	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// Run shows the banners that are handed to Notify, until ctx ends. It keeps its
// thread: the Windows Runtime is set up per thread.
func (n *Notifier) Run(ctx context.Context) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for {
		select {
		case <-ctx.Done():
			return nil
		case b := <-n.queue:
			n.settle(toast(b))
		}
	}
}

// toast shows one banner through the Windows Runtime alone. The library's fallback
// runs the text through PowerShell, which would carry out what a portal wrote, so
// it is not used.
func toast(b monitor.Banner) error {
	data := wintoast.AppData{AppID: appName, IconPath: iconFile()}
	if err := wintoast.SetAppData(data); err != nil {
		return errors.New("Windows does not take the program's name for its notifications: " + firstLine(err))
	}
	if err := wintoast.Push(toastXML(b)); err != nil {
		return errors.New("the Windows notification service refused: " + firstLine(err))
	}
	return nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// iconFile writes the program's picture to where Windows can find it, and returns
// the path, or nothing when there is no such place: the banner then has none.
func iconFile() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	dir = filepath.Join(dir, "notifio")
	file := filepath.Join(dir, "notifio.png")
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, assets.AppIcon()) {
		return file
	}
	if os.MkdirAll(dir, 0o700) != nil || os.WriteFile(file, assets.AppIcon(), 0o600) != nil {
		return ""
	}
	return file
}
