package login

import (
	"slices"
	"testing"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// It works on the registry of whoever runs it, and only where there is no entry yet.
func TestRunKeyIsWrittenReadAndRemoved(t *testing.T) {
	if _, ok := read(); ok || approval() != nil {
		t.Skip("this user has Notifio started at login")
	}
	e, err := Self("--config", `C:\my files\`, `say "hi" 100%`)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = remove() })
	set := func(on bool) {
		t.Helper()
		if err := e.Set(on); err != nil || e.On() != on {
			t.Fatalf("on is %v after it was set to %v: %v", e.On(), on, err)
		}
	}
	set(false) // nothing to remove
	set(true)
	if got := commandOf(t); !slices.Equal(got, e.command()) {
		t.Errorf("Windows reads %q, want %q", got, e.command())
	}
	k, _, err := registry.CreateKey(registry.CURRENT_USER, approvedKey, registry.SET_VALUE)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if err := k.SetBinaryValue(valueName, []byte{3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if e.On() {
		t.Error("on, though Task Manager has switched it off")
	}
	next := Entry{Program: e.Program, Args: []string{"--at-login"}}
	if done, err := next.Replace(e); done || err != nil {
		t.Errorf("replaced what Task Manager has switched off: %v, %v", done, err)
	}
	set(true)
	if done, err := next.Replace(e); !done || err != nil {
		t.Errorf("not replaced: %v, %v", done, err)
	}
	if got := commandOf(t); !slices.Equal(got, next.command()) {
		t.Errorf("Windows reads %q, want %q", got, next.command())
	}
	if done, err := next.Replace(e); done || err != nil {
		t.Errorf("replaced what somebody has edited: %v, %v", done, err)
	}
	set(false)
}

// commandOf is the command of the Run key, as Windows itself takes it apart.
func commandOf(t *testing.T) []string {
	t.Helper()
	k, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	line, _, err := k.GetStringValue(valueName)
	if err != nil {
		t.Fatal(err)
	}
	command, err := windows.DecomposeCommandLine(line)
	if err != nil {
		t.Fatal(err)
	}
	return command
}
