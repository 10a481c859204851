//go:build linux

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/internal/fake/portal"
)

// onSmallDisk puts the data folder, the browser's profile in it, on a disk of its own.
func (w *world) onSmallDisk(options string) {
	w.t.Helper()
	dir := filepath.Dir(w.data())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		w.t.Skipf("a disk that is full or read-only needs a mount, which needs root: %v", err)
	}
	w.t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			w.t.Error(err)
		}
	})
}

// fill takes the last byte of that disk.
func (w *world) fill() (ballast string) {
	w.t.Helper()
	ballast = filepath.Join(filepath.Dir(w.data()), "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	for block := 1 << 20; block > 0; {
		if _, err := f.Write(make([]byte, block)); errors.Is(err, syscall.ENOSPC) {
			block /= 2
		} else if err != nil {
			w.t.Fatal(err)
		}
	}
	return ballast
}

// The disk fills up while Notifio runs, and it is killed and started again on the full
// disk. It says so, what is new is told all the while, and when there is room again
// nothing is told twice.
func TestFullDiskKeepsNobodyFromBeingTold(t *testing.T) {
	w := newWorld(t)
	w.onSmallDisk("size=64m,mode=0700")
	rooms := w.rooms("a", 20)
	w.configure(w.file("1s", wanted{"Rooms", rooms.URL()}))
	p := w.watching(1)
	w.asked("a", 2)
	ballast := w.fill()
	rooms.ShowRange(21, 1)
	w.lastNews(1, rooms, 21)
	w.banner("Nothing can be saved")
	w.desk.AwaitItem("Nothing can be saved")
	p.kill()

	w.start()
	w.desk.AwaitItem("Nothing can be saved")
	rooms.Show(append([]int{22}, portal.Range(21, 1)...)...)
	w.awaitTold(rooms.Link(22))
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	rooms.ShowRange(23, 1)
	w.awaitTold(rooms.Link(23))
	for room, most := range map[int]int{21: 2, 22: 1, 23: 1} { // 21 may come again: it was never on record
		if n := w.timesTold(rooms.Link(room)); n > most {
			t.Errorf("room %d was told %d times", room, n)
		}
	}
}

// timesTold is how many emails have had this link.
func (w *world) timesTold(link string) int {
	n := 0
	for _, l := range lettersOf(w.inbox.Messages()) {
		if slices.Contains(l.links, link) {
			n++
		}
	}
	return n
}

// awaitTold waits for an email with this link.
func (w *world) awaitTold(link string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	if _, err := w.inbox.Until(ctx, func(inbox.State) bool { return w.timesTold(link) > 0 }); err != nil {
		w.t.Fatalf("no email tells %s: %v", link, err)
	}
}

// The data folder, with all that Notifio remembers, is on a disk that can only be read.
func TestReadOnlyDiskKeepsNobodyFromBeingTold(t *testing.T) {
	w := newWorld(t)
	w.onSmallDisk("size=64m,mode=0700")
	rooms := w.rooms("a", 20)
	w.configure(w.file("1s", wanted{"Rooms", rooms.URL()}))
	p := w.watching(1)
	w.asked("a", 2)
	w.desk.Click("Quit")
	p.exit()
	if err := syscall.Mount("tmpfs", filepath.Dir(w.data()), "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.desk.AwaitItem("Nothing can be saved")
	w.row("Rooms", "20 listings")
	w.lastNews(1, rooms.ShowRange(21, 1), 21)
	w.lastNews(2, rooms.ShowRange(22, 1), 22)
	w.lastBanner(2, 22)
}

// There is no room from the very first start on.
func TestFirstStartOnAFullDisk(t *testing.T) {
	w := newWorld(t)
	w.onSmallDisk("size=1m,mode=0700")
	rooms := w.rooms("a", 20)
	w.configure(w.file("1s", wanted{"Rooms", rooms.URL()}))
	if err := os.MkdirAll(w.data(), 0o700); err != nil {
		t.Fatal(err)
	}
	w.fill()
	w.start()
	w.desk.AwaitItem("Nothing can be saved")
	w.row("Rooms", "20 listings")
	w.lastNews(1, rooms.ShowRange(21, 1), 21)
}
