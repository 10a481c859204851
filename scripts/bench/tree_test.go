//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// tree is a process and all below it.
type tree []int

// treeOf lists a process and its descendants, itself first.
func treeOf(root int) tree {
	children := map[int][]int{}
	entries, _ := filepath.Glob("/proc/[0-9]*") // the pattern is good
	for _, entry := range entries {
		pid, _ := strconv.Atoi(filepath.Base(entry))
		if f := statOf(pid); f != nil && f[0] != "Z" {
			parent, _ := strconv.Atoi(f[1])
			children[parent] = append(children[parent], pid)
		}
	}
	all := tree{root}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// any says whether one of the processes has not ended. Numbers are given anew too
// seldom to matter in the seconds that this is asked.
func (t tree) any() bool {
	for _, pid := range t {
		if f := statOf(pid); f != nil && f[0] != "Z" {
			return true
		}
	}
	return false
}

// statOf is /proc/PID/stat from the state on, which is field 3 of the manual; nil
// when the process is gone.
func statOf(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}

// parts sums a value up over the processes of a tree, by whose they are: Notifio (or
// whatever the root is), node and Chromium.
func (t tree) parts(of func(pid int) float64) (root, node, chromium float64) {
	for i, pid := range t {
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		switch {
		case i == 0:
			root += of(pid)
		case strings.HasPrefix(string(name), "node") || strings.HasPrefix(string(name), "MainThread"):
			node += of(pid)
		default:
			chromium += of(pid)
		}
	}
	return root, node, chromium
}

// pss is the proportional set size of a process, in MB of 2^20 bytes.
func pss(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "Pss:" {
			kib, _ := strconv.ParseFloat(f[1], 64)
			return kib / 1024
		}
	}
	return 0
}

// cpu is the time that a process has had of a core, in seconds: fields 14 and 15,
// in the ticks of a hundredth of a second that Linux shows on every machine.
func cpu(pid int) float64 {
	f := statOf(pid)
	if f == nil {
		return 0
	}
	user, _ := strconv.ParseFloat(f[11], 64)
	system, _ := strconv.ParseFloat(f[12], 64)
	return (user + system) / 100
}

// chromiumSwitches are the switches that the tree's browser was started with.
func (t tree) chromiumSwitches() []string {
	for _, pid := range t {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		line := string(text)
		if strings.Contains(line, "--user-data-dir=") && !strings.Contains(line, "--type=") {
			return strings.Split(strings.Trim(line, "\x00"), "\x00")
		}
	}
	return nil
}
