//go:build linux

package main

import (
	"bytes"
	"database/sql"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// foreign is a portal under its own name on this machine: a proxy that the program
// finds in its environment, as behind a company's wall, and that answers for every
// host with one page.
func foreign(t *testing.T, page string) (proxy string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("browser", "testdata", "read", page))
	if err != nil {
		t.Fatal(err)
	}
	_, document, _ := bytes.Cut(text, []byte("-->\n"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !r.URL.IsAbs() || r.URL.Host != "www.funda.nl" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(document) // a visitor who left needs no answer
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// The running program names what it watches by the definitions that came with it:
// the demo, and a described portal under its own host name.
func TestLedgerHasTheKeysOfTheDefinitions(t *testing.T) {
	w := newWorld(t)
	w.proxy = foreign(t, "funda.html")
	w.configure(w.file("30s", wanted{"Demo", "demo:amsterdam"}, wanted{"Funda", "http://www.funda.nl/zoeken/huur?selected_area=[%22brookdam%22]"}))
	w.watching(2)
	var known []string
	w.desk.Await("the baselines of both in the ledger", func() bool { // the line in the log comes before the commit
		known = w.known()
		return slices.ContainsFunc(known, func(key string) bool { return !strings.HasPrefix(key, "demo:") })
	})
	for _, want := range []struct {
		key string
		n   int
	}{{"demo:", 1}, {"funda:439001", 5}} {
		n := 0
		for _, key := range known {
			if strings.HasPrefix(key, want.key) {
				n++
			}
		}
		if n < want.n {
			t.Errorf("%d keys begin with %q, want %d: %q", n, want.key, want.n, known)
		}
	}
	for _, key := range known {
		if !strings.HasPrefix(key, "demo:") && !strings.HasPrefix(key, "funda:") {
			t.Errorf("the ledger has the key %q", key)
		}
	}
	if slices.Contains(known, "funda:42909922") {
		t.Error("the paid card at the top is known as a listing")
	}
}

// known are the keys in the program's ledger, of all searches.
func (w *world) known() []string {
	w.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(w.data(), "notifio.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT key FROM known ORDER BY key")
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	var keys []string
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			w.t.Fatal(err)
		}
		keys = append(keys, key)
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return keys
}
