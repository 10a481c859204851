//go:build linux

package tray

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/desktop"
	"notifio.app/notifio/monitor"
)

// The boundary is tested in a program of its own, which is built without the race
// detector: the tray library races with itself between reading and refreshing its
// menu. What is ours is race-tested in the other tests.
var buildProgram = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tray")
	if err != nil {
		return "", err
	}
	program = filepath.Join(dir, "program")
	out, err := exec.Command("go", "build", "-o", program, "./testdata/program").CombinedOutput()
	if err != nil {
		return "", &exec.Error{Name: string(out), Err: err}
	}
	return program, nil
})

var program string

func TestMain(m *testing.M) {
	code := m.Run()
	if program != "" {
		_ = os.RemoveAll(filepath.Dir(program))
	}
	os.Exit(code)
}

// running is the program, started.
type running struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string // what it said; closed at its end
	ended chan error  // its exit, once
	err   *lockedBuffer
}

// lockedBuffer is what the program logged. A write wakes who waits.
type lockedBuffer struct {
	mu    sync.Mutex
	b     bytes.Buffer
	wrote chan struct{}
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	offer(l.wrote, struct{}{})
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// startProgram starts the program with these additions to its environment.
func startProgram(t *testing.T, env ...string) *running {
	t.Helper()
	path, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	r := &running{t: t, cmd: exec.Command(path), lines: make(chan string, 256), ended: make(chan error, 1), err: &lockedBuffer{wrote: make(chan struct{}, 1)}}
	r.cmd.Env = append(os.Environ(), env...)
	r.cmd.Stderr = r.err
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			r.lines <- s.Text()
		}
		close(r.lines)
		r.ended <- r.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = r.cmd.Process.Kill()
		for range r.lines {
		}
		if t.Failed() {
			t.Logf("the program said:\n%s", r.err)
		}
	})
	return r
}

func (r *running) show(v monitor.View) {
	r.t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := r.in.Write(append(b, '\n')); err != nil {
		r.t.Fatal(err)
	}
}

// expect waits for a line.
func (r *running) expect(want string) {
	r.t.Helper()
	select {
	case got, open := <-r.lines:
		if !open || got != want {
			r.t.Fatalf("the program said %q, want %q", got, want)
		}
	case <-time.After(desktop.Patience):
		r.t.Fatalf("the program did not say %q", want)
	}
}

// expectLog waits until the program has logged something.
func (r *running) expectLog(want string) {
	r.t.Helper()
	awaitLog(r.t, r.err, want)
}

// quit ends the program as a user does and says how long that took.
func (r *running) quit() time.Duration {
	r.t.Helper()
	begin := time.Now()
	_ = r.in.Close()
	r.expect("end")
	if err := <-r.ended; err != nil {
		r.t.Fatalf("the program ended with %v", err)
	}
	return time.Since(begin)
}

func TestPanelShowsWhatTheModelSays(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	p := startProgram(t, d.Env()...)
	v := sample(time.Now())
	p.show(v)
	d.AwaitIcon()
	d.AwaitItem("Watching 4 searches")
	menu := d.Menu()
	want := shownLines(Menu(v, time.Now(), Offer{SignIn: true, Report: true, Login: true, Version: "0.0.0"}).Items)
	if got := withoutTimes(menu.Lines()); !slices.Equal(got, withoutTimes(want)) {
		t.Errorf("menu is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := d.Property("Title"); got != "Notifio" {
		t.Errorf("title is %v", got)
	}
	if got := d.Property("Id"); got != "Notifio" {
		t.Errorf("id is %v, want one that does not change with the process", got)
	}
	p.quit()
}

func TestEveryItemCanBeClicked(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	p := startProgram(t, d.Env()...)
	v := sample(time.Now())
	p.show(v)
	d.AwaitIcon()
	d.AwaitItem("Watching")
	for _, c := range []struct {
		item []string
		want string
	}{
		{[]string{"Check now"}, "check now"},
		{[]string{"Pause"}, "pause false"},
		{[]string{"Pause for", "1 hour"}, "pause true"},
		{[]string{"Pause for", "Until tomorrow"}, "pause true"},
		{[]string{"Edit searches"}, "edit searches"},
		{[]string{"Activity log"}, "open log"},
		{[]string{"Report"}, "report"},
		{[]string{"Set up email"}, "set up mail"},
		{[]string{"New listings", "Mark all as seen"}, "mark seen"},
		{[]string{"New listings", "€ 1.450"}, "open https://www.example.com/home/21"},
		{[]string{"Centrum", "Open page"}, "open https://www.example.com/centrum"},
		{[]string{"Centrum", "Sign in"}, "sign in example.com"},
		{[]string{"Centrum", "Pause this search"}, "pause search https://www.example.com/centrum true"},
		{[]string{"Balcony", "Resume this search"}, "pause search https://www.example.com/balcony false"},
		{[]string{"Start at login"}, "start at login true"},
		{[]string{"Quit"}, "quit"},
	} {
		d.Click(c.item...)
		p.expect(c.want)
	}
	d.OpenMenu()
	p.expect("mark seen")
	p.quit()
}

// The mark follows the system, not the click: what others change is seen as soon as
// the menu is opened.
func TestStartAtLoginShowsWhatTheSystemDoes(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	file := filepath.Join(t.TempDir(), "starts")
	p := startProgram(t, append(d.Env(), "TRAY_LOGIN="+file)...)
	v := sample(time.Now())
	v.Unseen = 0
	p.show(v)
	d.AwaitIcon()
	marked := func(want bool) {
		t.Helper()
		d.AwaitMenu(fmt.Sprintf("a checkbox that is marked: %v", want), func(menu desktop.Node) bool {
			n := menu.Find("Start at login")
			return n != nil && n.Checkbox && n.Checked == want
		})
	}
	marked(false)
	d.Click("Start at login")
	p.expect("start at login true")
	marked(true)
	d.Click("Start at login")
	p.expect("start at login false")
	marked(false)
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d.OpenMenu()
	marked(true)
	p.quit()
}

func TestBurstOfClicksIsNotLost(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	p := startProgram(t, d.Env()...)
	p.show(sample(time.Now()))
	d.AwaitIcon()
	id := d.AwaitItem("Check now").ID
	d.AwaitItem("Watching")
	for range 8 {
		d.ClickItem(id)
	}
	for range 8 {
		p.expect("check now")
	}
	p.quit()
}

func TestCheckNowIsDisabledWhileChecking(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	p := startProgram(t, d.Env()...)
	v := sample(time.Now())
	v.Phase, v.Done, v.Total = monitor.Checking, 1, 4
	p.show(v)
	d.AwaitIcon()
	d.AwaitItem("Checking 2 of 4…")
	n := d.AwaitItem("Check now")
	if n.Enabled {
		t.Fatal("Check now is enabled during a cycle")
	}
	d.ClickItem(n.ID) // a panel with an old picture of the menu
	d.Click("Activity log")
	p.expect("open log") // and nothing before it
	p.quit()
}

// withoutTimes removes countdowns, which move between two readings.
func withoutTimes(lines []string) []string {
	out := slices.Clone(lines)
	for i, l := range out {
		before, _, cut := strings.Cut(l, " in ")
		if cut {
			out[i] = before
		}
	}
	return out
}
