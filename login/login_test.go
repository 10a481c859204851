package login

import (
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs; got\n%s\nrun `go test ./login -update` when that is meant", path, got)
	}
}

// nasty is a path and arguments that every kind of quoting has to get right.
var nasty = Entry{
	Program: `/home/ana maria/100% "new" $HOME/it's & so on/back\slash/notifio`,
	Args:    []string{"--config", "/etc/a;b|c<d>e/notifio.toml", "--data", "/tmp/`x`/(ü)#*?=~", ""},
}

func TestEntriesAsTheyAreWritten(t *testing.T) {
	golden(t, "notifio.desktop", string(desktopFile(nasty)))
	golden(t, "notifio.plist", string(agentFile(nasty)))
	windows := Entry{Program: `C:\Program Files\Notifio 100%\notifio.exe`,
		Args: []string{"--config", `D:\my files\`, "--data", `C:\plain\path`, `say "hi"`, `a\\"b`, ""}}
	line, err := commandLine(windows)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "windows.txt", line+"\n")
}

func TestProgramIsReadBack(t *testing.T) {
	path := rapid.StringMatching(`/([^\x00-\x1f\x7f\x{fffd}]{1,20}/){0,3}[^/\x00-\x1f\x7f\x{fffd}]{1,20}`)
	rapid.Check(t, func(t *rapid.T) {
		e := Entry{Program: path.Draw(t, "program"), Args: rapid.SliceOfN(path, 0, 3).Draw(t, "args")}
		if got, ok := desktopProgram(desktopFile(e)); !ok || got != e.Program {
			t.Fatalf("desktop file of %q starts %q, on %v", e.Program, got, ok)
		}
		if got, ok := agentProgram(agentFile(e)); !ok || got != e.Program {
			t.Fatalf("agent of %q starts %q, on %v", e.Program, got, ok)
		}
		if line, err := commandLine(e); err == nil && commandProgram(line) != e.Program {
			t.Fatalf("command line %s of %q starts %q", line, e.Program, commandProgram(line))
		}
	})
}

// The whole command survives, not the program alone.
func TestDesktopFileKeepsEveryArgument(t *testing.T) {
	_, line, _ := strings.Cut(string(desktopFile(nasty)), "Exec=")
	line, _, _ = strings.Cut(line, "\n")
	if got, want := splitExec(unescapeValue(line)), slices.Concat(shell, nasty.command()); !slices.Equal(got, want) {
		t.Errorf("reads %q, want %q", got, want)
	}
}

func TestEntriesOfOthersAreUnderstood(t *testing.T) {
	for _, c := range []struct {
		text, want string
		ok         bool
	}{
		{"[Desktop Entry]\nExec=/opt/notifio --terminal\n", "/opt/notifio", true},
		{"[Desktop Entry]\r\nExec = \"/opt/a b/notifio\" %u\r\n", "/opt/a b/notifio", true},
		{"[Desktop Entry]\nExec=/opt/notifio\nHidden=true\n", "/opt/notifio", false},
		{"[Desktop Entry]\nExec=/opt/notifio\nX-GNOME-Autostart-enabled=false\n", "/opt/notifio", false},
		{"[Desktop Entry]\nExec=/opt/notifio\n[Desktop Action new]\nExec=/opt/other\nHidden=true\n", "/opt/notifio", true},
		{"[Desktop Entry]\nName=Notifio\n", "", false},
		{"", "", false},
		{"\x00\xff=\n[", "", false},
	} {
		if got, ok := desktopProgram([]byte(c.text)); got != c.want || ok != c.ok {
			t.Errorf("%q starts %q, on %v; want %q, %v", c.text, got, ok, c.want, c.ok)
		}
	}
	plist := func(inner string) string { return xml.Header + "<plist><dict>" + inner + "</dict></plist>" }
	for _, c := range []struct {
		text, want string
		ok         bool
	}{
		{plist("<key>Program</key><string>/opt/notifio</string>"), "/opt/notifio", true},
		{plist("<key>ProgramArguments</key><array><string>/opt/notifio</string><string>-x</string></array>"), "/opt/notifio", true},
		{plist("<key>Program</key><string>/opt/notifio</string><key>Disabled</key><true/>"), "/opt/notifio", false},
		{plist("<key>RunAtLoad</key><true/>"), "", false},
		{"<plist><dict>", "", false},
		{"bplist00\x01\x02", "", false},
	} {
		got, ok := agentProgram([]byte(c.text))
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%q starts %q, on %v; want %q, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}

func TestTaskManagerHasTheLastWord(t *testing.T) {
	for _, c := range []struct {
		state []byte
		on    bool
	}{
		{nil, true}, {[]byte{2, 0, 0, 0}, true}, {[]byte{6}, true}, {[]byte{3, 0, 0, 0, 1, 2, 3, 4}, false}, {[]byte{7}, false},
	} {
		if got := approved(c.state); got != c.on {
			t.Errorf("% x: on %v, want %v", c.state, got, c.on)
		}
	}
}

func TestCommandThatWindowsWouldCutIsRefused(t *testing.T) {
	long := Entry{Program: `C:\` + strings.Repeat("a", 252) + `.exe`}
	if line, err := commandLine(long); err == nil || !strings.Contains(err.Error(), "shorter path") {
		t.Errorf("%d characters: %v", len(line), err)
	}
	long.Program = long.Program[:200] + ".exe"
	if _, err := commandLine(long); err != nil {
		t.Error(err)
	}
}

func TestWhatNoEntryCanHoldIsRefused(t *testing.T) {
	for _, e := range []Entry{
		{Program: "notifio"}, {Program: ""}, {Program: "/opt/a\nb"}, {Program: "/opt/n", Args: []string{"a\x00b"}}, {Program: "/opt/\ufffd"},
	} {
		if e.writable() == nil {
			t.Errorf("%q would be written", e.command())
		}
	}
}
