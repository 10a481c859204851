package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"notifio.app/notifio/browser"
	"notifio.app/notifio/mail"
	"notifio.app/notifio/monitor"
)

// stageVariable turns this test binary into the program under test.
const stageVariable = "NOTIFIO_TEST_STAGE"

// stage is what a test changes in the world around the program: the lengths of
// its waits, and whose certificates it trusts.
type stage struct {
	Timing monitor.Timing
	Limits browser.Limits
	Roots  string // a file of certificates in PEM; "": the system's
	// Leash says that the fourth file of the process is a pipe from the test, which
	// may be killed before it can end the program.
	Leash bool
	// Death is the moment at which the program kills itself; nil: it does not.
	Death *death
}

func TestMain(m *testing.M) {
	if text := os.Getenv(stageVariable); text != "" {
		os.Exit(perform(text))
	}
	// Whatever runs within this process stays off the desktop of whoever tests, and
	// off their secrets.
	_ = os.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
	_ = os.Unsetenv(mail.PasswordVariable)
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(filepath.Dir(built))
	}
	os.Exit(code)
}

// perform is main on a stage.
func perform(text string) int {
	var s stage
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitUsage
	}
	if s.Leash {
		go func() {
			_, _ = io.Copy(io.Discard, os.NewFile(3, "leash")) // until the test is gone
			os.Exit(exitTrouble)
		}()
	}
	if s.Death != nil {
		s.Death.await()
	}
	sayGoroutines()
	sys := system{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, timing: s.Timing, limits: s.Limits}
	if s.Roots != "" {
		certificates, err := os.ReadFile(s.Roots)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return exitUsage
		}
		sys.roots = x509.NewCertPool()
		sys.roots.AppendCertsFromPEM(certificates)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return run(ctx, os.Args[1:], sys)
}

// built is the program under test, once somebody has asked for it.
var built string

// buildProgram makes the program under test, without the race detector: the tray
// library races with itself. What is ours is race-tested within this process.
var buildProgram = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "notifio-test")
	if err != nil {
		return "", err
	}
	built = filepath.Join(dir, "program")
	cmd := exec.Command("go", "test", "-c", "-race=false", "-o", built, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return built, nil
})

// chosenBrowser is the [browser] of all configurations, where whoever tests has
// chosen one.
func chosenBrowser() string {
	if path := os.Getenv("NOTIFIO_BROWSER"); path != "" {
		return fmt.Sprintf("[browser]\nexecutable = %q\n\n", path)
	}
	return ""
}

// unhurried are the product's limits with more time for a browser to start: the
// machine may be busy with other tests.
func unhurried() browser.Limits {
	l := browser.DefaultLimits()
	l.Check, l.Patience, l.Launch = 2*time.Minute, time.Minute, time.Minute
	return l
}

// said is what a run of the program within this process came to.
type said struct {
	code     int
	out, err string
}

// invoke runs a command of the program within this process.
func invoke(t *testing.T, sys system, args ...string) said {
	t.Helper()
	var out, err bytes.Buffer
	if sys.stdin == nil {
		sys.stdin = strings.NewReader("")
	}
	if sys.limits.Check == 0 {
		sys.limits = unhurried()
	}
	sys.stdout, sys.stderr = &out, &err
	code := run(t.Context(), args, sys)
	return said{code, out.String(), err.String()}
}

func TestWrongUsageIsOneLineThatSaysWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := []string{"--config", filepath.Join(dir, "notifio.toml"), "--data", filepath.Join(dir, "data")}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--bogus"}, "bogus"},
		{[]string{"chekc"}, `unknown command "chekc"`},
		{[]string{"check", "--yaml"}, "--json"},
		{[]string{"check", "everything"}, "--json"},
		{[]string{"test-mail", "ana@example.com"}, "no arguments"},
		{[]string{"password", "letmein"}, "no arguments"},
	} {
		got := invoke(t, system{}, append(at, c.args...)...)
		if got.code != exitUsage || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, c.want) || !strings.Contains(got.err, "--help") {
			t.Errorf("%q: exit %d and %q, want exit %d and one line with %q", c.args, got.code, got.err, exitUsage, c.want)
		}
		if got.out != "" {
			t.Errorf("%q: printed %q", c.args, got.out)
		}
		if strings.Contains(got.err, "letmein") {
			t.Errorf("a password was repeated: %q", got.err)
		}
	}
}

func TestHelpNamesEveryCommandAndOption(t *testing.T) {
	t.Parallel()
	got := invoke(t, system{}, "--help")
	if got.code != exitFine || got.err != "" {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
	for _, want := range []string{"check", "sign-in", "reply --list", "reply --dry-run", "test-mail", "password", "-config", "-data", "-terminal", "-at-login"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("the help does not name %s", want)
		}
	}
	if got := invoke(t, system{}, "--version"); got.code != exitFine || !strings.HasPrefix(got.out, "notifio ") {
		t.Errorf("version: exit %d, %q", got.code, got.out)
	}
}

func TestDataFolderThatCannotBeMadeIsSaid(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got := invoke(t, system{}, "--data", filepath.Join(file, "data"), "check")
	if got.code != exitTrouble || !strings.Contains(got.err, "--data") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
}
