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

	"notifio.app/notifio/internal/fake/desktop"
)

var checks = flag.Int("checks", 90, "how many checks TestChecksLeaveNothingBehind makes")

// manyChecks are enough to compare memory: before, a browser is still filling its
// caches.
const manyChecks = 1000

// census is what a running program has at one moment between two cycles.
type census struct{ processes, files, goroutines, memory int } // memory in kB (PSS), all processes together

func (c census) String() string {
	return fmt.Sprintf("%d processes, %d files, %d goroutines, %d MB", c.processes, c.files, c.goroutines, c.memory>>10)
}

// least is the smaller of each: what is there always, and not only for a moment.
func (c census) least(o census) census {
	return census{min(c.processes, o.processes), min(c.files, o.files), min(c.goroutines, o.goroutines), min(c.memory, o.memory)}
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
	cycles := func(n int) census {
		t.Helper()
		least := p.census()
		for range n {
			before := len(w.portal.All())
			w.checkNowAsks("a")
			w.idle()
			if made := len(w.portal.All()) - before; made != len(all) {
				t.Fatalf("a cycle made %d checks, want %d", made, len(all))
			}
			least = least.least(p.census())
		}
		return least
	}
	const some = 3
	cycles(max(1, min(100, *checks/3)/len(all)-some))
	first := cycles(some)
	left := *checks - len(w.portal.All())
	cycles((left+len(all)-1)/len(all) - some)
	last := cycles(some)
	t.Logf("after the first checks %v; after %d %v", first, len(w.portal.All()), last)
	if last.processes > first.processes || last.files > first.files || last.goroutines > first.goroutines {
		t.Errorf("%v became %v", first, last)
	}
	if *checks >= manyChecks && last.memory > first.memory*11/10 {
		t.Errorf("the memory grew from %d to %d MB", first.memory>>10, last.memory>>10)
	}
}

// idle waits until no cycle is in flight.
func (w *world) idle() {
	w.t.Helper()
	w.desk.AwaitMenu("an enabled Check now", func(menu desktop.Node) bool {
		n := menu.Find("Check now")
		return n != nil && n.Enabled
	})
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
