//go:build linux

package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a newer Notifio has written is left alone, byte for byte: it may know what this
// one does not. Whoever started it from a menu sees a banner.
func TestDataOfANewerNotifioIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	w.configure(w.file("1s", wanted{"Rooms", w.rooms("a", 20).URL()}))
	if err := os.MkdirAll(w.data(), 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(w.data(), "notifio.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`CREATE TABLE future (what TEXT); PRAGMA user_version = 99`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"check"}} {
		code, out := w.run(args...)
		if code != exitNewer || !strings.Contains(out, "install the newer Notifio again") || !strings.Contains(out, "--data") {
			t.Errorf("%q: exit %d: %s", args, code, out)
		}
	}
	w.banner("Notifio cannot start")
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file was changed: %v", err)
	}
	if others, _ := filepath.Glob(filepath.Join(w.data(), "*.db*")); len(others) != 1 {
		t.Errorf("beside it there is %q", others)
	}
}
