package browser

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
