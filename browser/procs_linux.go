package browser

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// detach makes node the leader of its own process group, so that Ctrl-C reaches
// Notifio alone, which then ends the browser in order; and asks the kernel to
// kill node when Notifio dies in any way. Chromium ends when its pipe to node
// does, so nothing is left even of a node that was stopped.
func detach(attr *syscall.SysProcAttr) {
	attr.Setpgid = true
	attr.Pdeathsig = syscall.SIGKILL
}

// adopt has nothing to add to detach here.
func adopt(int) (release func(), err error) { return func() {}, nil }

// stat is what /proc/PID/stat says of a process.
type stat struct {
	pid, parent int
	state       byte
	started     string // in ticks since the boot: with the pid, the identity of a process
}

// parseStat reads the line of /proc/PID/stat. The command's name, the second
// field, may itself hold spaces and brackets.
func parseStat(line string) (stat, error) {
	open, end := strings.IndexByte(line, '('), strings.LastIndexByte(line, ')')
	if open < 0 || end < open {
		return stat{}, fmt.Errorf("process status %q", line)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line[:open]))
	if err != nil {
		return stat{}, fmt.Errorf("process status: %w", err)
	}
	fields := strings.Fields(line[end+1:])
	const startedAt = 19 // field 22 of the line
	if len(fields) <= startedAt {
		return stat{}, fmt.Errorf("process status %q is cut off", line)
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return stat{}, fmt.Errorf("process status: %w", err)
	}
	return stat{pid: pid, parent: parent, state: fields[0][0], started: fields[startedAt]}, nil
}

func statOf(pid int) (stat, error) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, err
	}
	return parseStat(string(line))
}

// identity names a process in a way that survives the reuse of its pid.
func identity(pid int) string {
	s, err := statOf(pid)
	if err != nil || s.state == 'Z' || s.state == 'X' {
		return ""
	}
	return s.started
}

// uses says whether pid is running and was started on the profile folder.
func uses(pid int, profile string) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return false
	}
	for arg := range bytes.SplitSeq(line, []byte{0}) {
		if string(arg) == "--user-data-dir="+profile {
			return true
		}
	}
	return false
}

// tree lists root and all its descendants that have not ended.
func tree(root int) []int {
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	children := make(map[int][]int)
	for _, path := range paths {
		line, err := os.ReadFile(path)
		if err != nil {
			continue // ended meanwhile
		}
		if s, err := parseStat(string(line)); err == nil && s.state != 'Z' {
			children[s.parent] = append(children[s.parent], s.pid)
		}
	}
	all := []int{root}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// memory is the proportional set size, in bytes, of a process and all below it;
// 0 when it cannot be told.
func memory(root int) uint64 {
	var sum uint64
	for _, pid := range tree(root) {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			continue
		}
		sum += parsePSS(data)
	}
	return sum
}

func parsePSS(rollup []byte) uint64 {
	lines := bufio.NewScanner(bytes.NewReader(rollup))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) >= 2 && fields[0] == "Pss:" {
			kib, err := strconv.ParseUint(fields[1], 10, 64)
			if err != nil {
				return 0
			}
			return kib << 10
		}
	}
	return 0
}
