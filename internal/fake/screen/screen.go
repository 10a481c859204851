// Package screen is a display for tests that nobody sees, with a hand that types,
// clicks and closes windows on it. It needs the programs Xvfb and xdotool.
package screen

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Patience is how long a test waits for a window before it fails.
const Patience = 2 * time.Minute

// Screen is a running X server.
type Screen struct {
	t       testing.TB
	display string
}

// Start runs an X server that ends with the test. Where a program is missing, the
// test fails and says how to get it.
func Start(t testing.TB) *Screen {
	t.Helper()
	for program, from := range map[string]string{"Xvfb": "xvfb", "xdotool": "xdotool"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%s is missing, and this test needs it: apt-get install %s", program, from)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	number, err := bufio.NewReader(r).ReadString('\n')
	_ = r.Close()
	if err != nil {
		t.Fatalf("the X server did not start: %v", err)
	}
	return &Screen{t: t, display: ":" + strings.TrimSpace(number)}
}

// Env is what a program needs in its environment to show itself here.
func (s *Screen) Env() string { return "DISPLAY=" + s.display }

// Display is the value of that variable.
func (s *Screen) Display() string { return s.display }

// Window waits for a window with these words in its title.
func (s *Screen) Window(title string) Window {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), Patience)
	defer cancel()
	id, err := "", error(nil)
	for id == "" && ctx.Err() == nil {
		// It waits by itself, but gives up when a window that it looks at is closed.
		var out string
		out, err = s.do(ctx, "search", "--sync", "--onlyvisible", "--name", title)
		if err == nil {
			id, _, _ = strings.Cut(strings.TrimSpace(out), "\n")
		}
	}
	if id == "" {
		all, _ := s.do(s.t.Context(), "search", "--onlyvisible", "--name", ".")
		s.t.Fatalf("no window with %q in its title came: %v (windows: %q)", title, err, all)
	}
	return Window{s, id}
}

// Type presses the keys of a text wherever the focus is.
func (s *Screen) Type(text string) { s.must("type", "--delay", "20", text) }

// Press presses one key, such as Return or ctrl+w.
func (s *Screen) Press(key string) { s.must("key", key) }

// Window is one window on the screen.
type Window struct {
	s  *Screen
	id string
}

// Click clicks into the window, so many pixels from its upper left corner, which
// also gives it the keys: there is no window manager to do so.
func (w Window) Click(x, y int) {
	w.s.t.Helper()
	w.s.must("windowfocus", w.id)
	w.s.must("mousemove", "--window", w.id, strconv.Itoa(x), strconv.Itoa(y), "click", "1")
}

// Close closes the window's only tab, and with it the window, by its key.
func (w Window) Close() {
	w.s.t.Helper()
	w.s.must("windowfocus", "--sync", w.id)
	w.s.Press("ctrl+w")
}

func (s *Screen) must(args ...string) {
	s.t.Helper()
	if out, err := s.do(s.t.Context(), args...); err != nil {
		s.t.Fatalf("xdotool %q: %v: %s", args, err, out)
	}
}

func (s *Screen) do(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "xdotool", args...)
	cmd.Env = append(os.Environ(), s.Env())
	out, err := cmd.CombinedOutput()
	return string(out), err
}
