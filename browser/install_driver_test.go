package browser

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// registry is a package registry on loopback with a driver that can only tell its
// version. wrong says how the nth download, from 1, goes wrong.
type registry struct {
	asked atomic.Int32
	wrong func(n int32, w http.ResponseWriter, pkg []byte) bool
}

func (r *registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	pkg := driverPackage(driverVersion())
	if n := r.asked.Add(1); r.wrong != nil && r.wrong(n, w, pkg) {
		return
	}
	_, _ = w.Write(pkg)
}

// driverPackage is the smallest package that the library installs: a program that
// tells a version, and the places that the library patches.
func driverPackage(version string) []byte {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	archive := tar.NewWriter(zip)
	for _, file := range []struct{ name, text string }{
		{"package/cli.js", fmt.Sprintf("console.log('Version %s')\n", version)},
		{"package/lib/coreBundle.js", "pageError.location.url pageError.location.lineNumber pageError.location.columnNumber " + strings.Repeat("x", 100000)},
	} {
		_ = archive.WriteHeader(&tar.Header{Name: file.name, Mode: 0o644, Size: int64(len(file.text)), Typeflag: tar.TypeReg})
		_, _ = archive.Write([]byte(file.text))
	}
	_ = archive.Close()
	_ = zip.Close()
	return out.Bytes()
}

// installer is a Browser that would fetch its driver from r.
func installer(t *testing.T, r *registry, change func(*Options)) (*Browser, kit) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is needed to run the driver: install nodejs")
	}
	t.Setenv("PLAYWRIGHT_GO_NPM_REGISTRY", strings.Replace(serve(t, r.ServeHTTP)("x", ""), "x.localhost", "127.0.0.1", 1))
	o := Options{DriverDir: filepath.Join(t.TempDir(), "cache", "driver"), Limits: quick()}
	o.Limits.Launch, o.Limits.Download = time.Minute, time.Minute
	if change != nil {
		change(&o)
	}
	b, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close(context.Background()) })
	return b, kit{driver: b.options.DriverDir, node: node}
}

// leftovers are what lies in the driver's parent folder besides the driver.
func leftovers(t *testing.T, k kit) []string {
	t.Helper()
	all, err := filepath.Glob(k.driver + ".partial-*")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestDriverIsInstalledAndTriedOut(t *testing.T) {
	var told []string
	b, k := installer(t, &registry{}, func(o *Options) { o.Progress = func(s string) { told = append(told, s) } })
	if err := b.installDriver(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	if !driverThere(k.driver) || smoke(t.Context(), k, b.limits) != nil {
		t.Error("the installed driver does not run")
	}
	if left := leftovers(t, k); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if len(told) == 0 || !strings.Contains(told[0], "Downloading the browser driver") {
		t.Errorf("told %q", told)
	}
}

func TestDamagedDriverIsReplaced(t *testing.T) {
	b, k := installer(t, &registry{}, nil)
	if err := os.MkdirAll(filepath.Join(k.driver, "package"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cli(k.driver), []byte("syntax error ("), 0o644); err != nil {
		t.Fatal(err)
	}
	if smoke(t.Context(), k, b.limits) == nil {
		t.Fatal("a damaged driver passed")
	}
	if err := b.installDriver(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	if err := smoke(t.Context(), k, b.limits); err != nil {
		t.Error(err)
	}
}

func TestFailedDownloadsLeaveNothingAndSayWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		name  string
		wrong func(n int32, w http.ResponseWriter, pkg []byte) bool
		want  string
	}{
		{"refused", func(_ int32, w http.ResponseWriter, _ []byte) bool { w.WriteHeader(http.StatusNotFound); return true }, "404"},
		{"cut off in the middle", func(_ int32, w http.ResponseWriter, pkg []byte) bool {
			w.Header().Set("Content-Length", fmt.Sprint(len(pkg)))
			_, _ = w.Write(pkg[:len(pkg)/2])
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, "EOF"},
		{"truncated without a word", func(_ int32, w http.ResponseWriter, pkg []byte) bool { _, _ = w.Write(pkg[:len(pkg)/2]); return true }, "EOF"},
		{"another version", func(_ int32, w http.ResponseWriter, _ []byte) bool {
			_, _ = w.Write(driverPackage("0.0.1"))
			return true
		}, "0.0.1"},
		{"a web page of a hotel", func(_ int32, w http.ResponseWriter, _ []byte) bool {
			_, _ = w.Write([]byte("<h1>Welcome</h1>"))
			return true
		}, "archive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, k := installer(t, &registry{wrong: c.wrong}, nil)
			err := b.Prepare(t.Context())
			if !errors.Is(err, monitor.ErrBrowser) || !strings.Contains(err.Error(), "the browser driver is missing") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
			if driverThere(k.driver) || len(leftovers(t, k)) != 0 {
				t.Error("something half installed was left")
			}
			if wait := time.Until(b.due()); wait < 50*time.Second {
				t.Errorf("tried again in %s already", wait)
			}
		})
	}
}

func TestLateDownloadIsGivenUp(t *testing.T) {
	release := make(chan struct{})
	r := &registry{wrong: func(int32, http.ResponseWriter, []byte) bool { <-release; return true }}
	b, k := installer(t, r, func(o *Options) { o.Limits.Download = 300 * time.Millisecond })
	t.Cleanup(func() { close(release) })
	err := b.installDriver(t.Context(), k)
	if err == nil || !strings.Contains(err.Error(), "longer than 300ms") {
		t.Errorf("error %v", err)
	}
}

func TestStartGoesOnTryingWhileOffline(t *testing.T) {
	r := &registry{}
	r.wrong = func(n int32, w http.ResponseWriter, _ []byte) bool {
		if n <= 2 {
			w.WriteHeader(http.StatusNotFound)
		}
		return n <= 2
	}
	var told []string
	b, k := installer(t, r, func(o *Options) {
		o.Limits.Pauses = []time.Duration{time.Millisecond}
		o.Executable = "/nowhere/browser" // found missing only after the driver is there
		o.Progress = func(s string) { told = append(told, s) }
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- b.Start(ctx) }()
	eventually(t, "the third attempt succeeds", func() bool { return driverThere(k.driver) })
	cancel()
	<-ended
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(told, "\n"); !strings.Contains(all, "The browser driver is missing") || !strings.Contains(all, "Trying again in") {
		t.Errorf("told:\n%s", all)
	}
}
