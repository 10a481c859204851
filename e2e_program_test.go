//go:build linux

package main

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// program is a running Notifio, as a process of its own.
type program struct {
	activity
	cmd *exec.Cmd
	out *speech // what it printed
}

// start starts the program in this world. It ends with the test at the latest,
// and with it everything that it has started.
func (w *world) start(args ...string) *program {
	w.t.Helper()
	path, err := buildProgram()
	if err != nil {
		w.t.Fatal(err)
	}
	p := &program{activity: newActivity(w.t, w.data()), cmd: exec.Command(path, args...), out: newSpeech()}
	p.cmd.Env = w.env()
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = strings.NewReader(w.stdin), p.out, p.out
	p.cmd.WaitDelay = time.Second // Chromium may hold the pipe for a moment longer
	there, here, err := os.Pipe()
	if err != nil {
		w.t.Fatal(err)
	}
	defer there.Close()
	w.t.Cleanup(func() { here.Close() })
	p.cmd.ExtraFiles = []*os.File{there}
	if err := p.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // its code is asked for in exit
	}()
	w.t.Cleanup(p.clear)
	return p
}

// watching starts the program and waits until it has saved so many baselines.
func (w *world) watching(baselines int) *program {
	w.t.Helper()
	p := w.start()
	p.awaitLog("baseline saved", baselines)
	return p
}

// run runs the program to its end and returns its exit code and what it printed.
func (w *world) run(args ...string) (code int, out string) {
	w.t.Helper()
	p := w.start(args...)
	return p.exit(), p.out.String()
}

// clear leaves nothing of the program behind.
func (p *program) clear() {
	tree := descendants(p.cmd.Process.Pid)
	_ = p.cmd.Process.Kill()
	<-p.ended
	awaitEnds(p.t, tree)
	if p.t.Failed() {
		p.t.Logf("the program printed:\n%s\nand its log says:\n%s", p.out.String(), p.log())
	}
}

// exit waits for the program's end and returns its exit code.
func (p *program) exit() int {
	p.t.Helper()
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		p.t.Fatal("the program did not end")
		return 0
	}
}

// kill ends the program as the system does that runs out of memory.
func (p *program) kill() {
	p.t.Helper()
	tree := descendants(p.cmd.Process.Pid)
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		p.t.Fatal(err)
	}
	<-p.ended
	awaitEnds(p.t, tree)
}

// strike kills the program from any goroutine, and waits for nothing.
func (p *program) strike() { _ = p.cmd.Process.Kill() }
