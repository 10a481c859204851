//go:build linux

package main

import (
	"syscall"
	"testing"
	"time"
)

// Ctrl-C in a terminal reaches every process of the program's group. The browser and
// its driver are in none that a terminal reaches, so that Notifio ends them itself, in
// order: in time, with nothing left behind and nothing said about a browser that died.
func TestInterruptReachesNotifioAlone(t *testing.T) {
	w := newWorld(t)
	w.desk.StopPanel()
	rooms := w.rooms("a", 20)
	w.configure(w.file("1s", wanted{"Rooms", rooms.URL()}))
	p := w.watching(1)
	w.asked("a", 1)
	tree := descendants(p.cmd.Process.Pid)
	group, err := syscall.Getpgid(p.cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range tree {
		if g, err := syscall.Getpgid(each.pid); err == nil && g == group {
			t.Errorf("Ctrl-C would end %s", each.command())
		}
	}
	interrupted := time.Now()
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := p.exit(); code != exitFine {
		t.Errorf("exit %d", code)
	}
	if took := time.Since(interrupted); took > 5*time.Second { // two, and what a busy machine adds
		t.Errorf("it took %v", took)
	}
	awaitEnds(t, tree)
	if len(p.lines("Notifio ends")) != 1 || len(p.lines("browser trouble")) > 0 {
		t.Errorf("the log says %s", p.log())
	}
}
