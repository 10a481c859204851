package demo

import (
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// noon is far from the hour at which Amsterdam's and Utrecht's standing rooms
// change that day, so that tests count only what they cause.
var noon = time.Date(2026, 5, 7, 12, 0, 0, 0, time.UTC)

// visitor looks at a portal whose clock and chance are the test's own.
type visitor struct {
	t      *testing.T
	now    time.Time
	portal *Portal
}

func visit(t *testing.T, at time.Time, seed uint64) *visitor {
	v := &visitor{t: t, now: at}
	v.portal = New(Options{Rand: rand.New(rand.NewPCG(seed, 1)), Now: func() time.Time { return v.now }})
	return v
}

// seen is what a reader finds on one results page.
type seen struct {
	status int
	ids    []string
	prices map[string]string
	total  string // as the heading counts
	wait   string // Retry-After
}

func (s seen) clean() bool { return s.status == http.StatusOK && fmt.Sprint(len(s.ids)) == s.total }

var (
	cardLink = regexp.MustCompile(`(?s)<article class="card">\s*<a href="/room/(\d+)">.*?<p class="price">(€ [\d.]+ p\.m\.)</p>`)
	heading  = regexp.MustCompile(`<h1>(\d+) rooms in ([^<]+)</h1>`)
)

// look asks for a city after some time has passed.
func (v *visitor) look(after time.Duration, city string) seen {
	v.t.Helper()
	v.now = v.now.Add(after)
	status, header, body := v.get("/" + city + "?sort=newest")
	s := seen{status: status, prices: map[string]string{}, wait: header.Get("Retry-After")}
	for _, m := range cardLink.FindAllStringSubmatch(body, -1) {
		s.ids = append(s.ids, m[1])
		s.prices[m[1]] = m[2]
	}
	if m := heading.FindStringSubmatch(body); m != nil {
		s.total = m[1]
	}
	return s
}

func (v *visitor) get(path string) (int, http.Header, string) {
	w := httptest.NewRecorder()
	v.portal.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Header(), w.Body.String()
}

// unknown are the ids of a page that are not on an earlier one.
func unknown(page, before seen) []string {
	return slices.DeleteFunc(slices.Clone(page.ids), func(id string) bool { return slices.Contains(before.ids, id) })
}

func TestSecondLookBringsExactlyOneNewRoom(t *testing.T) {
	for seed := range uint64(20) {
		for _, after := range []time.Duration{firstNews, 25 * time.Second, 35 * time.Second, 5 * time.Minute, 9 * time.Hour} {
			v := visit(t, noon, seed)
			first, second := v.look(0, "amsterdam"), v.look(after, "amsterdam")
			if len(first.ids) != standingRooms {
				t.Fatalf("first look shows %d rooms, want %d", len(first.ids), standingRooms)
			}
			if got := unknown(second, first); len(got) != 1 || got[0] != second.ids[0] {
				t.Fatalf("second look after %s: unknown %v, want the first card alone of %v", after, got, second.ids)
			}
		}
	}
}

func TestFirstLookMayBeRepeatedAtOnce(t *testing.T) {
	v := visit(t, noon, 1)
	first := v.look(0, "amsterdam")
	if got := unknown(v.look(firstNews-time.Second, "amsterdam"), first); len(got) != 0 {
		t.Errorf("a browser that starts again already finds %v", got)
	}
}

func TestFirstFourLooksAreClean(t *testing.T) {
	for seed := range uint64(20) {
		v := visit(t, noon, seed)
		for n := range cleanLooks {
			for _, city := range []string{"amsterdam", "utrecht"} {
				if s := v.look(15*time.Second, city); !s.clean() {
					t.Fatalf("seed %d, look %d at %s: status %d, %d of %s cards", seed, n+1, city, s.status, len(s.ids), s.total)
				}
			}
		}
	}
}

// TestTroublesComeAndGo watches two cities for an hour and more: pages are half-loaded
// and refused, but the next look at the same city is always clean, and so is any
// look right after a refusal, because a probe may be another search.
func TestTroublesComeAndGo(t *testing.T) {
	v := visit(t, noon, 7)
	var halves, refusals int
	last := map[string]seen{"amsterdam": v.look(0, "amsterdam"), "utrecht": v.look(0, "utrecht")}
	wasRefused := false
	for n := range 300 {
		city := []string{"amsterdam", "utrecht"}[n%2]
		s := v.look(15*time.Second, city)
		if !s.clean() && !last[city].clean() {
			t.Fatalf("look %d: %s is in trouble twice in a row", n, city)
		}
		if s.status == http.StatusTooManyRequests && wasRefused {
			t.Fatalf("look %d: refused twice in a row", n)
		}
		wasRefused = s.status == http.StatusTooManyRequests
		switch {
		case wasRefused && s.wait != "20":
			t.Fatalf("look %d: Retry-After %q", n, s.wait)
		case wasRefused:
			refusals++
		case !s.clean():
			halves++
			if 2*len(s.ids) >= len(last[city].ids) || len(s.ids) == 0 {
				t.Fatalf("look %d: %d cards are not half a page of %d", n, len(s.ids), len(last[city].ids))
			}
		}
		last[city] = s
	}
	if halves < 5 || refusals < 2 {
		t.Errorf("%d half-loaded and %d refused of 300 looks: too few to be noticed", halves, refusals)
	}
	if halves+refusals > 45 {
		t.Errorf("%d half-loaded and %d refused of 300 looks: a nuisance", halves, refusals)
	}
}

func TestNewRoomsComeEveryFewMinutes(t *testing.T) {
	v := visit(t, noon, 3)
	before := v.look(0, "amsterdam")
	known := before
	last := v.now
	var most int
	for v.now.Before(noon.Add(time.Hour)) {
		s := v.look(30*time.Second, "amsterdam")
		if !s.clean() {
			continue
		}
		for _, id := range unknown(s, known) {
			if gap := v.now.Sub(last); gap > maxGap+time.Minute+time.Second || gap < minGap-time.Minute && last != noon {
				t.Errorf("%s after %s without news", id, gap)
			}
			last = v.now
			known.ids = append(known.ids, id)
		}
		most = max(most, len(s.ids))
	}
	if news := len(known.ids) - standingRooms; news < 15 || news > 30 {
		t.Errorf("%d new rooms in an hour", news)
	}
	if most > standingRooms+mostFresh {
		t.Errorf("the page grew to %d rooms", most)
	}
}

func TestRoomsAreLetAndBecomeCheaper(t *testing.T) {
	v := visit(t, noon, 5)
	last := v.look(0, "amsterdam")
	var let, cheaper int
	for range 60 {
		s := v.look(30*time.Second, "amsterdam")
		if !s.clean() {
			continue
		}
		let += len(unknown(last, s))
		for id, price := range s.prices {
			was, ok := last.prices[id]
			if !ok || was == price {
				continue
			}
			cheaper++
			if a, b := euros(was), euros(price); b > a*98/100 || b < a*85/100 {
				t.Errorf("room %s went from %s to %s: not a fall that is told", id, was, price)
			}
		}
		last = s
	}
	if let == 0 || cheaper == 0 {
		t.Errorf("in half an hour %d rooms were let and %d became cheaper", let, cheaper)
	}
}

func euros(price string) int {
	var n int
	for _, c := range price {
		if c >= '0' && c <= '9' {
			n = 10*n + int(c-'0')
		}
	}
	return n
}

// TestRestartDoesNotFlood leaves a portal after more than an hour and opens a fresh one
// later. What Notifio knew is still there, the page is
// not half of what it was, and no id stands for another room.
func TestRestartDoesNotFlood(t *testing.T) {
	v := visit(t, noon, 11)
	known := map[string]bool{}
	var last seen
	for range 150 {
		if s := v.look(30*time.Second, "amsterdam"); s.clean() {
			last = s
			for _, id := range s.ids {
				known[id] = true
			}
		}
	}
	for _, test := range []struct {
		away time.Duration
		most int // rooms that came meanwhile
	}{
		{2 * time.Second, 0}, {time.Minute, 0}, {5 * time.Hour, 1}, {24 * time.Hour, 1}, {72 * time.Hour, 3},
	} {
		again := visit(t, v.now.Add(test.away), 12)
		first := again.look(0, "amsterdam")
		second := again.look(30*time.Second, "amsterdam")
		var came int
		for _, id := range first.ids {
			if !known[id] {
				came++
			}
		}
		if came > test.most {
			t.Errorf("away %s: %d unknown rooms at once, want at most %d", test.away, came, test.most)
		}
		if 2*len(first.ids) < len(last.ids) {
			t.Errorf("away %s: %d rooms after %d look half-loaded", test.away, len(first.ids), len(last.ids))
		}
		guest := second.ids[0]
		if known[guest] || slices.Contains(first.ids, guest) {
			t.Errorf("away %s: the new room has the old id %s", test.away, guest)
		}
	}
}

func TestStandingRoomsFollowFromTheClock(t *testing.T) {
	for hour := range 24 * 30 {
		now := noon.Add(time.Duration(hour) * time.Hour)
		rooms, next := standing("utrecht", 7, now), standing("utrecht", 7, now.Add(time.Hour))
		if len(rooms) != standingRooms {
			t.Fatalf("%s: %d rooms", now, len(rooms))
		}
		came := 0
		for _, r := range next {
			if r.published().After(now.Add(time.Hour)) {
				t.Fatalf("%s: a room from the future", now)
			}
			if !slices.Contains(rooms, r) {
				came++
			}
		}
		if came > 2 {
			t.Fatalf("%s: %d rooms came within one hour", now, came)
		}
	}
}

func TestEveryCityHasRoomsOfItsOwn(t *testing.T) {
	v := visit(t, noon, 1)
	ids := map[string]string{}
	for _, city := range []string{"amsterdam", "utrecht", "den-haag", "a", "%E6%9D%B1%E4%BA%AC", "%3Cb%3E", "room"} {
		v.look(0, city)
		for _, id := range v.look(10*time.Second, city).ids {
			if other, taken := ids[id]; taken {
				t.Errorf("%s and %s share the room %s", city, other, id)
			}
			ids[id] = city
		}
	}
	if want := 7 * (standingRooms + 1); len(ids) != want {
		t.Errorf("%d rooms in seven cities, want %d", len(ids), want)
	}
}

func TestNewestRoomIsFirst(t *testing.T) {
	v := visit(t, noon, 9)
	for range 100 {
		s := v.look(40*time.Second, "amsterdam")
		if !slices.IsSortedFunc(s.ids, func(a, b string) int { return strings.Compare(b[:10], a[:10]) }) {
			t.Fatalf("not newest first: %v", s.ids)
		}
	}
}

func TestClockSetBackStillBringsNews(t *testing.T) {
	v := visit(t, noon, 2)
	v.look(0, "amsterdam")
	first := v.look(-48*time.Hour, "amsterdam")
	second := v.look(maxGap, "amsterdam")
	if len(unknown(second, first)) != 1 {
		t.Errorf("no news within %s of a clock set back: %v", maxGap, second.ids)
	}
}

func TestRoomPageSaysThatItIsADemonstration(t *testing.T) {
	v := visit(t, noon, 4)
	v.look(0, "amsterdam")
	id := v.look(20*time.Second, "amsterdam").ids[0]
	if _, _, body := v.get("/room/" + id); !strings.Contains(body, "p.m.") || !strings.Contains(body, "This is a demonstration") {
		t.Errorf("room on offer:\n%s", body)
	}
	v.look(time.Hour, "amsterdam")
	if status, _, body := v.get("/room/" + id); status != http.StatusOK || !strings.Contains(body, "has been let") {
		t.Errorf("room that is let: status %d\n%s", status, body)
	}
	for _, path := range []string{"/room/x", "/room/-4", "/photo/4", "/photo/x.png", "/favicon.ico"} {
		if status, _, _ := v.get(path); status != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", path, status)
		}
	}
}

// TestPagesAreWellFormed reads each kind of page to its end: every element that
// opens is closed.
func TestPagesAreWellFormed(t *testing.T) {
	v := visit(t, noon, 6)
	kinds := map[string]bool{}
	for range 120 {
		v.now = v.now.Add(30 * time.Second)
		status, _, body := v.get("/%3Ca%3E%20&amp;%20b")
		kind := fmt.Sprint(status, strings.Contains(body, "Loading more"))
		if !kinds[kind] {
			kinds[kind] = true
			wellFormed(t, kind, body)
		}
	}
	if len(kinds) != 3 {
		t.Errorf("saw %v, want a full, a half-loaded and a refused page", kinds)
	}
	for _, path := range []string{"/", "/room/17781456000042"} {
		_, _, body := v.get(path)
		wellFormed(t, path, body)
	}
}

func wellFormed(t *testing.T, name, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, page)
		}
	}
}

func TestPhotoIsAPNG(t *testing.T) {
	_, header, body := visit(t, noon, 1).get("/photo/17781456000042.png")
	img, err := png.Decode(strings.NewReader(body))
	if err != nil || header.Get("Content-Type") != "image/png" {
		t.Fatalf("%s: %v", header.Get("Content-Type"), err)
	}
	if size := img.Bounds().Size(); size.X != photoWidth || size.Y != photoHeight {
		t.Errorf("size %v", size)
	}
}

func TestWords(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{thousands(950), "950"}, {thousands(1350), "1.350"}, {thousands(2005), "2.005"},
		{ago(-time.Hour), "just now"}, {ago(time.Minute), "1 minute ago"}, {ago(23 * time.Hour), "23 hours ago"}, {ago(50 * time.Hour), "2 days ago"},
		{slug(" Den  Haag/"), "den-haag"}, {display("den-haag"), "Den Haag"}, {display("東京"), "東京"}, {display("-"), ""},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}
