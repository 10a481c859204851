package browser

import "time"

// process is one running program, recognised also when its pid has been given to
// another one meanwhile.
type process struct {
	pid int
	id  string
}

// processOf remembers a running process.
func processOf(pid int) process { return process{pid: pid, id: identity(pid)} }

// running says whether this very process has not ended.
func (p process) running() bool { return p.pid > 0 && p.id != "" && identity(p.pid) == p.id }

// kill ends the process and its group, if it is still the one that it was.
func (p process) kill() error {
	if !p.running() {
		return nil
	}
	return killGroup(p.pid)
}

// awaitEnd waits until the process has ended, at most for d. The kernel takes a
// moment for a big one.
func (p process) awaitEnd(d time.Duration) {
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(d); p.running() && time.Now().Before(deadline); {
		<-ticker.C
	}
}
