package browser

import (
	"os"
	"testing"
)

func TestParseStatOfAnyName(t *testing.T) {
	const rest = " S 7 42 42 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2 3"
	for _, name := range []string{"(node)", "(a b)", "(a) S 9 (b)", "()"} {
		s, err := parseStat("42 " + name + rest)
		if err != nil || s != (stat{pid: 42, parent: 7, state: 'S', started: "98765"}) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	for _, line := range []string{"", "42", "42 (x", "42 (x) S 7", "x (y)" + rest, "42 (x) S y 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"} {
		if s, err := parseStat(line); err == nil {
			t.Errorf("%q: %+v", line, s)
		}
	}
}

func TestParsePSS(t *testing.T) {
	for text, want := range map[string]uint64{
		"Rss: 900 kB\nPss:  123 kB\nPss_Dirty: 5 kB\n": 123 << 10,
		"Rss: 900 kB\n":  0,
		"Pss: much kB\n": 0,
		"":               0,
	} {
		if got := parsePSS([]byte(text)); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}

func TestProcessIsRecognised(t *testing.T) {
	me := processOf(os.Getpid())
	if !me.running() {
		t.Error("this very process does not seem to run")
	}
	other := process{pid: me.pid, id: me.id + "0"}
	if other.running() {
		t.Error("a process that got the pid of another one was taken for it")
	}
	if (process{}).running() {
		t.Error("no process seems to run")
	}
	if m := memory(me.pid); m < 1<<20 || m > 1<<36 {
		t.Errorf("this process has %d bytes", m)
	}
}
