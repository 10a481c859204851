package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// machine says on what the figures were taken.
type machine struct {
	CPU      string `json:"cpu"`
	Cores    int    `json:"cores"`
	System   string `json:"system"`
	Kernel   string `json:"kernel"`
	Memory   string `json:"memory"`
	Chromium string `json:"chromium"`
	Node     string `json:"node"`
	Go       string `json:"go"`
	Commit   string `json:"commit"`
	// Load is what else it did at the beginning: the processes that were running or
	// waiting to, over the minute before.
	Load float64 `json:"load"`
}

func thisMachine(ctx context.Context) machine {
	minute, _, _ := strings.Cut(field("/proc/loadavg", ""), " ")
	load, _ := strconv.ParseFloat(minute, 64) // a system without it counts as quiet
	return machine{
		Load: load,
		CPU:  field("/proc/cpuinfo", "model name"), Cores: runtime.NumCPU(), System: strings.Trim(field("/etc/os-release", "PRETTY_NAME"), `"`),
		Kernel: says(ctx, "uname", "-sr"), Memory: field("/proc/meminfo", "MemTotal"),
		Chromium: says(ctx, chromium(), "--version"), Node: says(ctx, "node", "--version"),
		Go: runtime.Version(), Commit: says(ctx, "git", "rev-parse", "--short", "HEAD"),
	}
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores, %s of memory, %s, %s, %s, node %s, %s, commit %s, load before %.1f",
		m.CPU, m.Cores, m.Memory, m.System, m.Kernel, m.Chromium, m.Node, m.Go, m.Commit, m.Load)
}

// field is the value behind a name in a file of lines; "unknown" when it has none.
func field(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(text)) {
		if rest, is := strings.CutPrefix(line, name); is {
			return strings.TrimSpace(strings.TrimLeft(rest, " \t:="))
		}
	}
	return "unknown"
}

// says is the first line that a program prints; "unknown" when it cannot be run.
func says(ctx context.Context, program string, args ...string) string {
	out, err := exec.CommandContext(ctx, program, args...).Output()
	if err != nil {
		return "unknown"
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}
