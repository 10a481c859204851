package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Places in the table, in the order in which the aims are set.
const (
	rowCheck = 100 * (iota + 1)
	rowLazy
	rowExtraction
	rowCycle
	rowLanes
	rowPunctual
	rowNews
	rowDecision
	rowStart
	rowIdle
	rowMemory
	rowBuild
)

// sizes measures the program's file, and how long it takes to build with nothing
// built before.
func sizes(ctx context.Context, l *lab) ([]reading, error) {
	info, err := os.Stat(l.program)
	if err != nil {
		return nil, err
	}
	all := []reading{{Row: rowBuild, What: "size of the program", Unit: "MB", Ours: []float64{float64(info.Size()) / 1e6}}}
	cache := filepath.Join(l.work, "cache")
	defer os.RemoveAll(cache)
	took, err := clock(ctx, "go", []string{"GOCACHE=" + cache, "CGO_ENABLED=0"}, "build", "-o", filepath.Join(l.work, "clean"), ".")
	if err != nil {
		return all, err
	}
	return append(all, reading{Row: rowBuild, What: "build from clean, modules downloaded", Unit: "s", Ours: []float64{took.Seconds()}}), nil
}

// tests measures make test. The short form leaves it out.
func tests(ctx context.Context, l *lab) ([]reading, error) {
	if l.quick {
		return nil, nil
	}
	took, err := clock(ctx, "make", []string{"GOFLAGS=-count=1"}, "test")
	if err != nil {
		return nil, err
	}
	return []reading{{Row: rowBuild, What: "make test", Unit: "s", Ours: []float64{took.Seconds()}}}, nil
}

// clock runs a command and says how long it took.
func clock(ctx context.Context, program string, env []string, args ...string) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = 10 * time.Second
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s %v: %w\n%s", program, args, err, out[max(0, len(out)-3000):])
	}
	return time.Since(began), nil
}
