package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// treeOf remembers the driver, Chromium and everything below them.
func treeOf(e *engine) []process {
	var all []process
	for _, pid := range append(tree(e.node.pid), tree(e.chrome.pid)...) {
		if p := processOf(pid); p.id != "" {
			all = append(all, p)
		}
	}
	return all
}

// noneRuns waits until all of them have ended.
func noneRuns(t *testing.T, all []process) {
	t.Helper()
	if len(all) < 4 {
		t.Fatalf("only %d processes were found: driver, browser and its children should be more", len(all))
	}
	eventually(t, "every process of the browser has ended", func() bool {
		for _, p := range all {
			if p.running() {
				return false
			}
		}
		return true
	})
}

func signal(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		t.Fatal(err)
	}
}

func TestBrowserDies(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	t.Run("a crashed renderer is a failed page", func(t *testing.T) { crashedRenderer(t, b) })
	t.Run("browser trouble is not the host's", func(t *testing.T) { browserTrouble(t, b) })
	t.Run("one page is late after the other", func(t *testing.T) { lateOneByOne(t, b) })
}

// lateOneByOne stops the browser during two checks of which the second began so much
// later that the first has the browser ended while the second one's page is closed.
func lateOneByOne(t *testing.T, b *Browser) {
	at, asked := waiting(t)
	one := checkInBackground(t.Context(), b, at("one", "/wait-announced-late"))
	<-asked
	two := checkInBackground(t.Context(), b, at("two", "/wait"))
	<-asked
	signal(t, b.engine.chrome.pid, syscall.SIGSTOP)
	for _, back := range []<-chan result{one, two} {
		if r := <-back; !errors.Is(r.err, monitor.ErrBrowser) {
			t.Errorf("verdict %q %q, error %v: the host was blamed", r.page.Verdict, r.page.Reason, r.err)
		}
	}
	mustCheck(t, b, at("one", "/good"))
}

// browserTrouble ends or stops the browser or the driver in the
// middle of two checks: both say that it was the browser, in time; the next check
// works, and of the old tree nothing is left.
func browserTrouble(t *testing.T, b *Browser) {
	at, asked := waiting(t)
	for _, c := range []struct {
		name string
		hit  func(e *engine)
	}{
		{"browser killed", func(e *engine) { signal(t, e.chrome.pid, syscall.SIGKILL) }},
		{"driver killed", func(e *engine) { signal(t, e.node.pid, syscall.SIGKILL) }},
		{"browser stopped", func(e *engine) { signal(t, e.chrome.pid, syscall.SIGSTOP) }},
		{"driver stopped", func(e *engine) { signal(t, e.node.pid, syscall.SIGSTOP) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := b.engine
			all := treeOf(e)
			one := checkInBackground(t.Context(), b, at("one", "/wait"))
			two := checkInBackground(t.Context(), b, at("two", "/wait"))
			<-asked
			<-asked
			c.hit(e)
			for _, back := range []<-chan result{one, two} {
				r := <-back
				if !errors.Is(r.err, monitor.ErrBrowser) {
					t.Errorf("verdict %q %q, error %v: the host was blamed", r.page.Verdict, r.page.Reason, r.err)
				}
				if r.took > most(b.limits) {
					t.Errorf("it took %s", r.took)
				}
			}
			if p, err := b.Check(t.Context(), searchAt(at("one", "/good"))); err != nil || p.Status != 200 {
				t.Errorf("the next check: %q %v", p.Reason, err)
			}
			if b.engine == e {
				t.Error("the browser was not started anew")
			}
			noneRuns(t, all)
		})
	}
}

func crashedRenderer(t *testing.T, b *Browser) {
	at := serve(t, hostile)
	e := b.engine
	back := checkInBackground(t.Context(), b, at("crash", "/loop"))
	var busy int
	eventually(t, "the page's renderer works", func() bool { busy = busiest(tree(e.chrome.pid)); return busy != 0 })
	signal(t, busy, syscall.SIGKILL)
	r := <-back
	if r.err != nil || r.page.Verdict != monitor.Failed || !strings.Contains(r.page.Reason, "crashed") {
		t.Errorf("%q %q %v", r.page.Verdict, r.page.Reason, r.err)
	}
	if p, err := b.Check(t.Context(), searchAt(at("one", "/good"))); err != nil || p.Status != 200 {
		t.Errorf("the next check: %q %v", p.Reason, err)
	}
	if b.engine != e {
		t.Error("the whole browser was started anew for one page")
	}
}

// busiest is the renderer that has worked for half a second or more, 0 for none.
func busiest(pids []int) int {
	for _, pid := range pids {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		args, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || !strings.Contains(string(args), "--type=renderer") {
			continue
		}
		fields := strings.Fields(string(line[strings.LastIndexByte(string(line), ')')+1:]))
		const userTime, half = 11, 50 // ticks of 10 ms
		if ticks, err := strconv.Atoi(fields[userTime]); err == nil && ticks > half {
			return pid
		}
	}
	return 0
}

// children are the children of this program that have not been waited for,
// those that have ended among them.
func children(t *testing.T) (n int) {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		line, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if s, err := parseStat(string(line)); err == nil && s.parent == os.Getpid() {
			n++
		}
	}
	return n
}

func TestChecksAndRestartsLeaveNothingBehind(t *testing.T) {
	b := browserFor(t, func(o *Options) { o.Log = nil })
	at := serve(t, hostile)
	page := at("a", "/many")
	round := func(checks int) (goroutines, files, processes int) {
		for range checks {
			mustCheck(t, b, page)
		}
		b.Rest(t.Context())
		fds, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return runtime.NumGoroutine(), len(fds), children(t)
	}
	goroutines, files, processes := round(3)
	for range 3 {
		b.engine.kill()
		round(3)
	}
	g, f, p := round(3)
	// The fake site's idle connections come and go.
	const site = 4
	if g > goroutines+site || f > files+site || p != processes {
		t.Errorf("%d goroutines, %d files and %d children became %d, %d and %d", goroutines, files, processes, g, f, p)
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		hit  func(e *engine)
	}{
		{"in order", func(*engine) {}},
		{"browser stopped", func(e *engine) { signal(t, e.chrome.pid, syscall.SIGSTOP) }},
		{"driver stopped", func(e *engine) { signal(t, e.node.pid, syscall.SIGSTOP) }},
		{"both stopped", func(e *engine) {
			signal(t, e.chrome.pid, syscall.SIGSTOP)
			signal(t, e.node.pid, syscall.SIGSTOP)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := browserFor(t, func(o *Options) { o.Profile = "" })
			all, temp := treeOf(b.engine), b.temp
			c.hit(b.engine)
			began := time.Now()
			if err := b.Close(context.Background()); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > b.limits.ContextClose+b.limits.DriverStop+slack {
				t.Errorf("it took %s", took)
			}
			noneRuns(t, all)
			if _, err := os.Stat(temp); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the temporary profile is still there: %v", err)
			}
		})
	}
}

// TestKilledProgramLeavesNothing runs a program with a browser, this test binary
// itself, and kills it.
func TestKilledProgramLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		stop func(p pids) int
	}{
		{"plain", func(pids) int { return 0 }},
		{"driver stopped", func(p pids) int { return p.Node }},
	} {
		t.Run(c.name, func(t *testing.T) {
			program, p := victim(t)
			var all []process
			for _, pid := range p.All {
				all = append(all, processOf(pid))
			}
			if pid := c.stop(p); pid != 0 {
				signal(t, pid, syscall.SIGSTOP)
			}
			signal(t, program, syscall.SIGKILL)
			noneRuns(t, all)
		})
	}
}

// pids are what a victim prints.
type pids struct {
	Node, Chrome int
	All          []int
}

const victimVar = "NOTIFIO_TEST_VICTIM"

func victim(t *testing.T) (int, pids) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestVictim$", "-test.v")
	cmd.Env = append(os.Environ(), victimVar+"="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, text, ok := strings.Cut(lines.Text(), "PIDS "); ok {
			var p pids
			if err := json.Unmarshal([]byte(text), &p); err != nil {
				t.Fatal(err)
			}
			return cmd.Process.Pid, p
		}
	}
	t.Fatal("the program ended without a browser")
	return 0, pids{}
}

// TestVictim is the program that TestKilledProgramLeavesNothing kills.
func TestVictim(t *testing.T) {
	dir := os.Getenv(victimVar)
	if dir == "" {
		t.Skip("it is run by another test")
	}
	b := browserFor(t, func(o *Options) { o.Profile = dir; o.Log = nil })
	p := pids{Node: b.engine.node.pid, Chrome: b.engine.chrome.pid}
	for _, each := range treeOf(b.engine) {
		p.All = append(p.All, each.pid)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(os.Stdout, "PIDS "+string(text)+"\n")
	select {} // until it is killed
}
