//go:build linux

package main

import (
	"database/sql"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

// firstRound has a ledger that the program of the first round has made, from three
// checks of rooms.html by each of three searches. It took 25 of the 33 cards for
// results, and two deposits for the rent. Where it says that it was asked at port 8080,
// a test puts its own. The page of the test has one card more, which is new. To make it
// anew, build commit c6ff1d6 and run
//
//	go test . -run TestMakeLedgerOfTheFirstRound -first-round=/where/it/is/notifio
const firstRound = "testdata/firstround"

var oldProgram = flag.String("first-round", "", "a Notifio of the first round, to make its ledger anew")

// ledgerPort is the port in the kept ledger's addresses.
const ledgerPort = ":8080"

// firstRoundCards is the last card that the first round read: those behind it stand
// below a headline that it took for the head of another list.
const firstRoundCards = 25

// rooms is a server of rooms.html, with cards of a test's own above the others.
type rooms struct {
	t    *testing.T
	port string // ":1234"
	mu   sync.Mutex
	page string
}

func startRooms(t *testing.T) *rooms {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(firstRound, "rooms.html"))
	if err != nil {
		t.Fatal(err)
	}
	r := &rooms{t: t, page: string(text)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !strings.HasPrefix(q.URL.Path, "/rooms/") {
			http.NotFound(w, q)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, r.page)
	}))
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.port = ":" + address.Port()
	return r
}

// replace changes the page from now on.
func (r *rooms) replace(before, now string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.page = strings.Replace(r.page, before, now, 1)
}

// add puts one more card on the page.
func (r *rooms) add(n int, street string) {
	const mark = "<!-- new -->"
	r.replace(mark, mark+fmt.Sprintf(`<li class="card"><a href="/flat/%d"><h3>Flat on %s Street</h3></a><p>%[2]s Street %[3]d, Utrecht</p>
		<p>€ 1,100 per month</p><p>40 m² · 2 rooms</p><p>With a balcony.</p></li>`, 100400+n, street, n))
}

// file is the configuration of the three searches: one has a limit, one asks for a word
// that stands in the cards' texts.
func (r *rooms) file() string {
	at := "http://rooms.localhost" + r.port + "/rooms/"
	return search("Limit", at+"limit") + "max_price = 2000\n\n" + search("All", at+"all") + "\n" +
		search("Balcony", at+"balcony") + "require = [\"balcony\"]\n\n"
}

// putPort replaces a port in all addresses of a ledger.
func putPort(t *testing.T, path, before, now string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, column := range []string{"search url", "record body", "alert body"} {
		table, name, _ := strings.Cut(column, " ")
		text := "UPDATE " + table + " SET " + name + " = replace(" + name + ", 'localhost" + before + "/', 'localhost" + now + "/')"
		if _, err := db.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if _, err := db.Exec("VACUUM"); err != nil {
		t.Fatal(err)
	}
}

func TestMakeLedgerOfTheFirstRound(t *testing.T) {
	if *oldProgram == "" {
		t.Skip("-first-round names no program")
	}
	r := startRooms(t)
	f := newFolder(t, r.file())
	for range 3 {
		out, err := exec.Command(*oldProgram, "--config", f.config, "--data", f.data, "check").CombinedOutput()
		t.Logf("%s", out)
		if err != nil {
			t.Fatal(err)
		}
	}
	kept := filepath.Join(f.data, "notifio.db")
	putPort(t, kept, r.port, ledgerPort)
	text, err := os.ReadFile(kept)
	if err == nil {
		err = os.WriteFile(filepath.Join(firstRound, "notifio.db"), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Story 35: the new program over the same pages, and the ledger of the first round.
func TestUpdateTellsNothingButWhatIsNew(t *testing.T) {
	w := newWorld(t)
	r := startRooms(t)
	f := newFolder(t, r.file())
	if err := os.MkdirAll(f.data, 0o700); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(firstRound, "notifio.db"))
	if err == nil {
		err = os.WriteFile(filepath.Join(f.data, "notifio.db"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	putPort(t, filepath.Join(f.data, "notifio.db"), ledgerPort, r.port)

	check := func() []monitor.Alert {
		t.Helper()
		began := time.Now()
		if code, out := w.run("--config", f.config, "--data", f.data, "check"); code != exitFine {
			t.Fatalf("check: exit %d\n%s", code, out)
		}
		history, err := store.Read(t.Context(), f.data, began)
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(history.Alerts, func(a monitor.Alert) bool { return a.Found.Before(began) })
	}

	r.add(60, "Sequoia")
	told := check()
	marked := 0
	for _, a := range told {
		street := streetNumber(t, a.Listing)
		switch {
		case a.Kind != monitor.New:
			t.Errorf("told a %s of %s", a.Kind, a.Listing.URL)
		case street <= firstRoundCards:
			t.Errorf("told %s, which the first round has seen", a.Listing.URL)
		}
		if a.Doubt == "perhaps not new" {
			marked++
		}
	}
	if !slices.ContainsFunc(told, func(a monitor.Alert) bool { return streetNumber(t, a.Listing) == 60 }) {
		t.Errorf("the home that is new was not told: %d alerts", len(told))
	}
	if marked != len(told) || marked > 10 {
		t.Errorf("%d of %d are marked, want all, and ten at most", marked, len(told))
	}

	r.add(61, "Teak")
	r.replace("€ 1010 per month", "€ 900 per month")
	told = check()
	var got []string
	for _, a := range told {
		got = append(got, fmt.Sprintf("%s %d %s", a.Kind, streetNumber(t, a.Listing), a.Doubt))
	}
	slices.Sort(got)
	if want := []string{"new 61 ", "price drop 1 "}; !slices.Equal(got, want) {
		t.Errorf("the second check tells %q, want %q", got, want)
	}
	if told := check(); len(told) > 0 {
		t.Errorf("a third check tells %d", len(told))
	}
}

// streetNumber is the number of a card: each stands in its address.
func streetNumber(t *testing.T, l monitor.Listing) (n int) {
	t.Helper()
	m := regexp.MustCompile(`Street (\d+), Utrecht`).FindStringSubmatch(l.Address + "\n" + l.Title)
	if m == nil {
		t.Fatalf("no number in %+v", l)
	}
	fmt.Sscan(m[1], &n)
	return n
}
