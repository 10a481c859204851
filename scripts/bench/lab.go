package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// The environment tells a measurement where things are and how long it may take.
const (
	programVariable = "NOTIFIO_BENCH_PROGRAM" // the real program
	bareVariable    = "NOTIFIO_BENCH_BARE"    // this very program, for bare sessions
	quickVariable   = "NOTIFIO_BENCH_QUICK"   // not empty: the short form
)

// lab is where measurements are made. It is made once and only read afterwards.
type lab struct {
	work    string // a folder that is removed at the end
	quick   bool
	program string // the real program, built anew
}

// build makes the program, and the binaries with the measurements.
func (l *lab) build(ctx context.Context) error {
	fmt.Println("== building")
	for _, args := range [][]string{
		{"build", "-o", l.program, "."},
		{"test", "-c", "-o", l.binary(here), here},
		{"test", "-c", "-o", l.binary(heart), heart},
	} {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}

func (l *lab) binary(pkg string) string {
	return filepath.Join(l.work, filepath.Base(pkg)+".test")
}

// run does the stages and returns what was read, and which jobs went wrong.
func (l *lab) run(ctx context.Context, stages [][]job) (all []reading, failed []error) {
	var mu sync.Mutex
	for _, stage := range stages {
		var side sync.WaitGroup
		for _, j := range stage {
			if ctx.Err() != nil {
				break
			}
			side.Go(func() {
				began := time.Now()
				fmt.Println("== measuring:", j.name)
				readings, err := l.do(ctx, j)
				mu.Lock()
				defer mu.Unlock()
				all = append(all, readings...)
				if err != nil {
					failed = append(failed, fmt.Errorf("%s could not be measured: %w", j.name, err))
				}
				fmt.Printf("== measured: %s, in %s\n", j.name, time.Since(began).Round(time.Second))
			})
		}
		side.Wait()
	}
	return all, failed
}

func (l *lab) do(ctx context.Context, j job) ([]reading, error) {
	if j.own != nil {
		return j.own(ctx, l)
	}
	kind := []string{"-test.run", "^$", "-test.bench", j.pattern}
	if !strings.HasPrefix(j.pattern, "^Benchmark") {
		kind = []string{"-test.run", j.pattern}
	}
	cmd := exec.CommandContext(ctx, l.binary(j.from), append(kind, "-test.benchtime", "1x", "-test.v", "-test.timeout", "40m")...)
	cmd.Dir = j.from
	bare, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd.Env = append(os.Environ(), programVariable+"="+l.program, bareVariable+"="+bare)
	if l.quick {
		cmd.Env = append(cmd.Env, quickVariable+"=1")
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	readings, bad := readingsIn(out)
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, withoutReadings(out))
	}
	return readings, errors.Join(err, bad)
}

// withoutReadings is the output of a test without the long lines that are for us.
func withoutReadings(out []byte) []byte {
	var kept [][]byte
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte(attrMark)) {
			kept = append(kept, line)
		}
	}
	return bytes.Join(kept, nil)
}
