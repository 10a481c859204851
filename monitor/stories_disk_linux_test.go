package monitor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// onSmallDisk is in, with the data on a file system of a few megabytes.
func onSmallDisk(t *testing.T, story func(t *testing.T, w *world)) {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m,mode=0700"); err != nil {
		t.Skipf("a disk that is full needs a mount, which needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, dir)
		defer w.stop()
		story(t, w)
	})
}

func (w *world) filler() string { return filepath.Join(w.dir, "filler") }

// fillDisk takes all the room that is left; freeDisk gives it back.
func (w *world) fillDisk() {
	w.t.Helper()
	f, err := os.Create(w.filler())
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 64<<10); len(block) > 0; {
		if _, err := f.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
}

func (w *world) freeDisk() {
	if err := os.Remove(w.filler()); err != nil {
		w.t.Fatal(err)
	}
}

// breakFile spoils the database while it is in use.
func (w *world) breakFile() {
	f, err := os.OpenFile(filepath.Join(w.dir, "notifio.db"), os.O_WRONLY, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	for at := int64(0); at < 64<<10; at += 512 {
		if _, err := f.WriteAt([]byte("spoiled by a dying disk"), at); err != nil {
			break // no further
		}
	}
}

// killed goes on with the data as a kill at this moment leaves it.
func (w *world) killed() {
	w.t.Helper()
	left := w.snapshot()
	w.stop()
	w.dir = left
	w.portal.drain()
	w.start()
}

// The disk is full: what is new is told all the same, once, with the trouble shown.
// When there is room again all of it is on record, and no restart tells it again.
func TestFullDiskStillTells(t *testing.T) {
	onSmallDisk(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.fillDisk()
		for last := 21; last <= 24; last++ {
			w.show(urlP, ids(1, last)...)
			w.cycles(3)
		}
		w.told("21", "22", "23", "24")
		if got := w.desk.take(); len(got) != 5 || !slices.Contains(got, "Nothing can be saved") {
			t.Errorf("banners %q", got)
		}
		if v := w.view(); len(v.Troubles) != 1 || v.Troubles[0].Source != "disk" {
			t.Errorf("troubles %+v", v.Troubles)
		}
		w.freeDisk()
		w.show(urlP, ids(1, 25)...)
		w.cycles(5)
		w.told("25")
		w.show(urlP, ids(1, 26)...)
		w.cycles(2)
		w.told("26")
		if v := w.view(); len(v.Troubles) != 0 {
			t.Errorf("troubles %+v", v.Troubles)
		}
		w.killed()
		w.cycles(3)
		w.told()
	})
}

// With the disk full and the mail down, what waits is sent once there is a way.
func TestFullDiskAndNoMailLoseNothing(t *testing.T) {
	onSmallDisk(t, func(t *testing.T, w *world) {
		w.begun()
		w.fillDisk()
		w.inbox.down()
		w.with(home(21)) // for a single check
		w.cycle()
		w.with()
		w.pass(20 * time.Minute)
		w.told()
		w.inbox.up()
		w.pass(time.Hour)
		w.told("21")
	})
}

// The second half of story 43: the disk fills, the file breaks, there is room again, a
// kill. Every home of that hour is told.
func TestStory43FullDiskBrokenFileKill(t *testing.T) {
	for _, broken := range []string{"while the disk is full", "before it is full", "when there is room again"} {
		t.Run(broken, func(t *testing.T) {
			onSmallDisk(t, func(t *testing.T, w *world) {
				w.begun()
				w.inbox.down()
				last := 20
				more := func(n int) {
					for range n {
						last++
						w.show(urlP, append(ids(1, 10), ids(21, last)...)...)
						w.cycle()
					}
				}
				more(2)
				if broken == "before it is full" {
					w.breakFile()
				}
				w.fillDisk()
				more(5)
				if broken == "while the disk is full" {
					w.breakFile()
				}
				more(3)
				w.freeDisk()
				if broken == "when there is room again" {
					w.breakFile()
				}
				more(3)
				w.killed()
				w.inbox.up()
				w.pass(time.Hour)
				told := map[string]int{}
				for _, l := range w.inbox.take() {
					for _, id := range idsOf(l.Alerts) {
						told[id]++
					}
				}
				for n := 21; n <= last; n++ {
					if told[fmt.Sprint(n)] == 0 {
						t.Errorf("%d is lost", n)
					}
				}
			})
		})
	}
}
