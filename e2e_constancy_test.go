//go:build linux

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/portal"
)

var checks = flag.Int("checks", 90, "how many checks TestChecksLeaveNothingBehind makes")

// manyChecks are enough to compare memory: before, a browser is still filling its
// caches.
const manyChecks = 1000

// census is what a running program has at one moment between two cycles.
type census struct {
	processes, files, goroutines int
	memory                       int    // in kB (PSS), all processes together
	open                         string // the files
	// usual is how many files were open at most of the looks: one that is always open
	// may be closed for the moment of a single look.
	usual int
}

func (c census) String() string {
	return fmt.Sprintf("%d processes, %d files, %d goroutines, %d MB", c.processes, c.files, c.goroutines, c.memory>>10)
}

// least is the smaller of each: what is there always, and not only for a moment.
func (c census) least(o census) census {
	open := c.open
	if o.files < c.files {
		open = o.open
	}
	return census{min(c.processes, o.processes), min(c.files, o.files), min(c.goroutines, o.goroutines), min(c.memory, o.memory), open, c.usual}
}

// Fifteen searches on five hosts are checked again and again; whatever a check needs
// is gone after it.
func TestChecksLeaveNothingBehind(t *testing.T) {
	w := newWorld(t)
	var all []wanted
	for n := range 15 {
		host := string(rune('a' + n%5))
		s := w.portal.Host(host).Search(fmt.Sprintf("/rooms/%d", n)).ShowRange(20, 1)
		all = append(all, wanted{fmt.Sprintf("Rooms %d", n), s.URL()})
	}
	w.configure(w.file("10m", all...))
	p := w.watching(len(all))
	const perCycle = 15
	cycles := func(n int) {
		t.Helper()
		for range n {
			before := len(w.portal.All())
			w.clickUntilAsked()
			w.portal.Await(t.Context(), "a whole cycle", func(all []portal.Request) bool { return len(all) >= before+perCycle })
		}
	}
	const some = 3 // cycles, after each of which is counted
	least := func() census {
		t.Helper()
		found := p.census()
		seen := map[int]int{} // files -> looks
		for range some {
			cycles(1)
			// The last check is still on its way. Whatever is there all the time is there
			// in the quietest of many moments.
			until := time.Now().Add(2 * time.Second)
			for looks := 0; looks < 20 || time.Now().Before(until); looks++ {
				now := p.census()
				found = found.least(now)
				if seen[now.files]++; seen[now.files] > seen[found.usual] {
					found.usual = now.files
				}
			}
		}
		return found
	}
	cycles(max(1, min(100, *checks/3)/perCycle-some))
	// The day's backup comes a minute after the start, and SQLite keeps the file that it
	// was read from open for the next one.
	for !w.backedUp() {
		cycles(1)
	}
	first := least()
	before := len(w.portal.All())
	cycles(max(0, (*checks-before)/perCycle-some))
	last := least()
	t.Logf("after %d checks %v; after %d %v", before, first, len(w.portal.All()), last)
	if last.processes > first.processes || last.files > first.usual || last.goroutines > first.goroutines {
		t.Errorf("%v became %v\nfiles before:%s\nfiles after:%s", first, last, first.open, last.open)
	}
	if *checks >= manyChecks && last.memory > first.memory*11/10 {
		t.Errorf("the memory grew from %d to %d MB", first.memory>>10, last.memory>>10)
	}
}

func (w *world) backedUp() bool {
	w.t.Helper()
	copies, err := filepath.Glob(filepath.Join(w.data(), "backups", "*.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	return len(copies) > 0
}

// clickUntilAsked clicks Check now until a check comes of it: while a cycle is on its
// way, which the menu may not say yet, a click means nothing.
func (w *world) clickUntilAsked() {
	w.t.Helper()
	for before := len(w.portal.All()); len(w.portal.All()) == before; {
		asked := w.portal.Changed()
		w.checkNow()
		select {
		case <-asked:
		case <-time.After(2 * time.Second):
		}
	}
}

// census counts a program that is between two cycles.
func (p *program) census() census {
	p.t.Helper()
	c := census{goroutines: p.goroutines()}
	for _, one := range append(descendants(p.cmd.Process.Pid), process{pid: p.cmd.Process.Pid}) {
		c.processes++
		c.memory += one.memory()
	}
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	c.files = len(open)
	for _, file := range open {
		target, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", p.cmd.Process.Pid, file.Name()))
		c.open += " " + target
	}
	return c
}

// goroutines asks the program under test, which says it on the stage.
func (p *program) goroutines() int {
	p.t.Helper()
	before := strings.Count(p.out.String(), goroutinesWord)
	if err := p.cmd.Process.Signal(syscall.SIGUSR1); err != nil {
		p.t.Fatal(err)
	}
	p.out.awaitCount(p.t, goroutinesWord, before+1)
	text := p.out.String()
	line, _, _ := strings.Cut(text[strings.LastIndex(text, goroutinesWord)+len(goroutinesWord):], "\n")
	n, err := strconv.Atoi(line)
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

// memory is the process's share of the machine's, in kB; 0 when it has ended.
func (p process) memory() int {
	text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.pid), "smaps_rollup"))
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kb, _ := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")))
			return kb
		}
	}
	return 0
}
