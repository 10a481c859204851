//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"notifio.app/notifio/internal/fake/desktop"
	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/internal/fake/portal"
)

// household is everything around the real program: a portal, a mail server, a
// desktop with a tray, and a home of its own.
type household struct {
	b      *testing.B
	portal *portal.Portal
	inbox  *inbox.Inbox
	desk   *desktop.Desktop
	home   string
	cert   string
}

func newHousehold(b *testing.B) *household {
	b.Helper()
	h := &household{b: b, portal: portal.Start(b), inbox: inbox.Start(b, inbox.Options{}), desk: desktop.Start(b), home: b.TempDir()}
	h.cert = h.inbox.CertFile(b)
	h.desk.StartPanel()
	h.desk.StartNotifications()
	return h
}

// configure writes a file with these searches; poll is the inside of [poll].
func (h *household) configure(poll string, searches []*portal.Search) {
	h.b.Helper()
	var f strings.Builder
	for n, s := range searches {
		fmt.Fprintf(&f, "[[search]]\nname = \"Search %d\"\nurl = %q\n\n", n+1, s.URL())
	}
	if path := os.Getenv("NOTIFIO_BROWSER"); path != "" {
		fmt.Fprintf(&f, "[browser]\nexecutable = %q\n\n", path)
	}
	fmt.Fprintf(&f, "[poll]\n%s\n[mail]\nhost = %q\nport = %d\ntls = \"starttls\"\nusername = \"ana\"\npassword = \"ana\"\nfrom = \"ana@example.com\"\nto = [\"ana@example.com\"]\n",
		poll, h.inbox.Host(), h.inbox.Port())
	name := filepath.Join(h.home, "config", "notifio", "notifio.toml")
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		h.b.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(f.String()), 0o600); err != nil {
		h.b.Fatal(err)
	}
}

// env leads the program to this household. Only the browser's driver is where it
// always is.
func (h *household) env() []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, "XDG_") && !strings.HasPrefix(name, "NOTIFIO_") && name != "DISPLAY" && name != "WAYLAND_DISPLAY" {
			env = append(env, v)
		}
	}
	return append(append(env, h.desk.Env()...), "HOME="+h.home, "SSL_CERT_FILE="+h.cert,
		"XDG_CONFIG_HOME="+filepath.Join(h.home, "config"), "XDG_STATE_HOME="+filepath.Join(h.home, "state"),
		"XDG_DATA_HOME="+filepath.Join(h.home, "share"), "XDG_RUNTIME_DIR="+h.home, "XDG_CACHE_HOME="+xdg.CacheHome)
}

// process is a program that is being measured.
type process struct {
	b     *testing.B
	cmd   *exec.Cmd
	began time.Time
	in    io.WriteCloser
	out   *bufio.Reader
	log   string // its activity log; "": it has none, and ends with its input
}

// start starts the real program.
func (h *household) start() *process {
	h.b.Helper()
	p := begin(h.b, exec.Command(needed(h.b, programVariable)), h.env())
	p.log = filepath.Join(h.home, "state", "notifio", "activity.log")
	return p
}

// startBareProcess starts a bare session as a process of its own, and waits until
// its page is there.
func startBareProcess(b *testing.B, profile string, env []string, switches ...string) (p *process, took time.Duration) {
	b.Helper()
	cmd := exec.Command(needed(b, bareVariable), append([]string{"-bare", profile, "--"}, switches...)...)
	p = begin(b, cmd, append(os.Environ(), env...))
	if line, err := p.out.ReadString('\n'); err != nil || line != "ready\n" {
		b.Fatalf("the bare session says %q: %v", line, err)
	}
	return p, time.Since(p.began)
}

func needed(b *testing.B, variable string) string {
	b.Helper()
	path := os.Getenv(variable)
	if path == "" {
		b.Skip("only for make bench, which builds what is measured")
	}
	return path
}

func begin(b *testing.B, cmd *exec.Cmd, env []string) *process {
	b.Helper()
	p := &process{b: b, cmd: cmd}
	cmd.Env, cmd.Stderr = env, os.Stderr
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	p.began = time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(p.end)
	return p
}

// end ends the program as a user would, and waits for it and all that it has
// started. It may be called twice.
func (p *process) end() {
	if p.cmd.ProcessState != nil {
		return
	}
	if p.b.Failed() && p.log != "" {
		text, _ := os.ReadFile(p.log)
		p.b.Logf("its log:\n%s", text[max(0, len(text)-4000):])
	}
	all := p.tree()
	_ = p.in.Close()
	if p.log != "" {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
	}
	late := time.AfterFunc(20*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer late.Stop()
	_, _ = io.Copy(io.Discard, p.out)
	_ = p.cmd.Wait()
	for over := time.Now().Add(10 * time.Second); all.any() && time.Now().Before(over); {
		time.Sleep(20 * time.Millisecond)
	}
}

func (p *process) tree() tree { return treeOf(p.cmd.Process.Pid) }

// memory is the tree's, in MB, and that of Notifio, node and Chromium.
func (p *process) memory() (all, root, node, chromium float64) {
	root, node, chromium = p.tree().parts(pss)
	return root + node + chromium, root, node, chromium
}

// fifteen are as many searches as there may be, spread over so many hosts.
func (h *household) fifteen(hosts int) []*portal.Search { return fifteen(h.portal, hosts) }

func fifteen(p *portal.Portal, hosts int) []*portal.Search {
	var all []*portal.Search
	for n := range 15 {
		host := p.Host(fmt.Sprintf("site%d", n%hosts))
		all = append(all, host.Search(fmt.Sprintf("/rooms-%d", n/hosts)).ShowRange(100*n+30, 100*n+1))
	}
	return all
}
