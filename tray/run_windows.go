package tray

import (
	"context"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// readyWithin is how long the notification area gets to take the icon. At login
// Explorer may refuse it, and then the library waits for ever without a word.
const readyWithin = 10 * time.Second

// Run shows the icon until ctx ends. It has to be called on the main goroutine,
// once in a process. When the notification area does not take the icon, it tries
// again.
func (t *Tray) Run(ctx context.Context) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	hosts := make(chan host, 1)
	n := newNative(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.live(ctx, n, hosts)
	}()
	for awaitTaskbar(ctx) && !t.attempt(ctx, n, hosts) {
		offer(hosts, host{reason: "the notification area is not ready yet; it is tried again"})
	}
	select {
	case <-done:
	case <-time.After(farewell):
	}
	return nil
}

// attempt runs the event loop once and says whether the icon was shown.
func (t *Tray) attempt(ctx context.Context, n *native, hosts chan host) bool {
	ready, over := make(chan struct{}), make(chan struct{})
	go watchdog(ctx, windows.GetCurrentThreadId(), ready, over)
	n.loop(func() {
		close(ready)
		offer(hosts, host{ok: true})
	})
	close(over)
	select {
	case <-ready:
		return true
	default:
		return false
	}
}

// watchdog ends an event loop that did not become ready.
func watchdog(ctx context.Context, thread uint32, ready, over <-chan struct{}) {
	select {
	case <-ready:
		return
	case <-over:
		return
	case <-ctx.Done():
	case <-time.After(readyWithin):
	}
	if w := trayWindow(); w != 0 {
		postMessage.Call(w, wmClose, 0, 0)
		return
	}
	postThreadMessage.Call(uintptr(thread), wmQuit, 0, 0)
}

const (
	wmClose = 0x0010
	wmQuit  = 0x0012
)

var (
	user32            = windows.NewLazySystemDLL("user32.dll")
	findWindowEx      = user32.NewProc("FindWindowExW")
	windowProcess     = user32.NewProc("GetWindowThreadProcessId")
	postMessage       = user32.NewProc("PostMessageW")
	postThreadMessage = user32.NewProc("PostThreadMessageW")
)

// awaitTaskbar waits until there is a taskbar; false means that ctx has ended.
func awaitTaskbar(ctx context.Context) bool {
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for ctx.Err() == nil {
		if findWindow("Shell_TrayWnd", 0) != 0 {
			return true
		}
		select {
		case <-ctx.Done():
		case <-look.C:
		}
	}
	return false
}

// trayWindow is the hidden window of this process that belongs to the icon, or 0.
func trayWindow() uintptr {
	for w := findWindow("SystrayClass", 0); w != 0; w = findWindow("SystrayClass", w) {
		var pid uint32
		windowProcess.Call(w, uintptr(unsafe.Pointer(&pid)))
		if pid == windows.GetCurrentProcessId() {
			return w
		}
	}
	return 0
}

// findWindow is the next top-level window of a class after the given one.
func findWindow(class string, after uintptr) uintptr {
	name, err := windows.UTF16PtrFromString(class)
	if err != nil {
		return 0
	}
	w, _, _ := findWindowEx.Call(0, after, uintptr(unsafe.Pointer(name)), 0)
	return w
}

// Available says whether the icon can be shown: Windows always has a notification
// area, though it may be late at login.
func Available(context.Context) (ok bool, reason string) { return true, "" }
