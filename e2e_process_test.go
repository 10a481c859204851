//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// process is one of the machine's processes, also when its number is given away
// again: started is in the system's ticks since it booted.
type process struct {
	pid, parent int
	started     string
}

// processOf reads /proc/PID/stat; the name in it may hold anything.
func processOf(pid int) (process, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, false
	}
	fields := strings.Fields(string(text)[strings.LastIndexByte(string(text), ')')+1:])
	parent, err := strconv.Atoi(fields[1])
	return process{pid: pid, parent: parent, started: fields[19]}, err == nil && fields[0] != "Z"
}

// descendants are all processes that another one has started, itself excluded.
func descendants(pid int) []process {
	var all []process
	entries, _ := filepath.Glob("/proc/[0-9]*")
	for _, entry := range entries {
		n, _ := strconv.Atoi(filepath.Base(entry))
		if p, alive := processOf(n); alive {
			all = append(all, p)
		}
	}
	family := []int{pid}
	var found []process
	for i := 0; i < len(family); i++ {
		for _, p := range all {
			if p.parent == family[i] && !slices.Contains(family, p.pid) {
				family, found = append(family, p.pid), append(found, p)
			}
		}
	}
	return found
}

// family are all processes with this home, whoever has started them.
func family(home string) []process {
	var found []process
	entries, _ := filepath.Glob("/proc/[0-9]*")
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(entry, "environ"))
		if err != nil || !slices.Contains(strings.Split(string(text), "\x00"), "HOME="+home) {
			continue
		}
		n, _ := strconv.Atoi(filepath.Base(entry))
		if p, alive := processOf(n); alive {
			found = append(found, p)
		}
	}
	return found
}

// command is the command line of a process.
func (p process) command() string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.pid))
	return strings.ReplaceAll(string(text), "\x00", " ")
}

// chromium is the process of the browser itself among those of a program.
func chromium(t *testing.T, tree []process) process {
	t.Helper()
	for _, p := range tree {
		if c := p.command(); strings.Contains(c, "--user-data-dir=") && !strings.Contains(c, "--type=") {
			return p
		}
	}
	t.Fatal("the program has no browser")
	return process{}
}

// awaitEnds waits until none of the processes is left.
func awaitEnds(t *testing.T, all []process) {
	t.Helper()
	late := time.Now().Add(patience)
	for _, p := range all {
		if err := p.awaitEnd(late); err != nil {
			t.Errorf("process %d is left: %v: %s", p.pid, err, p.command())
		}
	}
}

var errStillThere = errors.New("it does not end")

func (p process) awaitEnd(late time.Time) error {
	fd, err := unix.PidfdOpen(p.pid, 0)
	if errors.Is(err, unix.ESRCH) || errors.Is(err, unix.EINVAL) { // EINVAL: the number is a thread's now
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	// With the descriptor in hand, the number cannot be given away any more.
	if now, alive := processOf(p.pid); !alive || now.started != p.started {
		return nil
	}
	for {
		left := max(0, time.Until(late).Milliseconds())
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(left))
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case n == 0:
			return errStillThere
		default:
			return nil
		}
	}
}

// goroutinesWord stands before the number of goroutines that the program under test
// says when it gets SIGUSR1, at the beginning of a line of its own.
const goroutinesWord = "goroutines: "

// sayGoroutines lets a test ask.
func sayGoroutines() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	go func() {
		for range asked {
			fmt.Printf("%s%d\n", goroutinesWord, runtime.NumGoroutine())
		}
	}()
}
