// Package demo is a small rental portal that Notifio serves to itself, so that a
// newcomer sees a baseline, a new room, a banner and an email without an account
// anywhere. Its rooms are invented, and every page says so.
//
// It behaves as portals do: rooms come and go, prices fall, a page is sometimes
// half-loaded and sometimes refused. It keeps nothing on disk, and yet its rooms
// are the same after a restart: see standing in room.go.
//
// The package imports nothing of ours and knows nothing of checks or mail.
package demo

import (
	"bytes"
	"embed"
	"html/template"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed templates/*.html
var files embed.FS

var pages = template.Must(template.ParseFS(files, "templates/*.html"))

// Options inject what a test wants to hold still. The zero value is the portal
// that users see.
type Options struct {
	Rand *rand.Rand       // used by one request at a time; nil: seeded at random
	Now  func() time.Time // nil: time.Now
}

// Portal is the demo portal as an http.Handler. Any first path segment is a city
// with rooms of its own ("/amsterdam"); a room is at "/room/ID" and its picture
// at "/photo/ID.png".
type Portal struct {
	mux *http.ServeMux
	now func() time.Time

	mu     sync.Mutex // guards what is below
	rand   *rand.Rand
	cities map[string]*city
	calm   int // results pages, of any city, that will still be clean
}

// New is a portal on which nobody has looked yet.
func New(o Options) *Portal {
	p := &Portal{mux: http.NewServeMux(), now: o.Now, rand: o.Rand, cities: map[string]*city{}}
	if p.now == nil {
		p.now = time.Now
	}
	if p.rand == nil {
		p.rand = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	p.mux.HandleFunc("GET /{$}", p.home)
	p.mux.HandleFunc("GET /{city}", p.results)
	p.mux.HandleFunc("GET /room/{id}", p.room)
	p.mux.HandleFunc("GET /photo/{file}", p.photo)
	p.mux.HandleFunc("GET /favicon.ico", http.NotFound)
	return p
}

func (p *Portal) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.mux.ServeHTTP(w, r) }

func (p *Portal) home(w http.ResponseWriter, _ *http.Request) {
	render(w, http.StatusOK, "home.html", nil)
}

// results is the page that a search saves, newest room first. Each request of
// it counts as one look at the city.
func (p *Portal) results(w http.ResponseWriter, r *http.Request) {
	name := slug(r.PathValue("city"))
	now := p.now()
	rooms, served := p.look(name, now)
	switch served {
	case refused:
		w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter/time.Second)))
		render(w, http.StatusTooManyRequests, "refused.html", nil)
	default:
		data := resultsPage{City: display(name), Total: len(rooms), Cards: cards(rooms, now)}
		if served == half {
			data.Cards, data.Loading = data.Cards[:len(rooms)/3], true
		}
		render(w, http.StatusOK, "results.html", data)
	}
}

// look counts a request for a city's results page and says what it gets.
func (p *Portal) look(name string, now time.Time) ([]room, outcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.cities[name]
	if c == nil {
		c = newCity(name)
		p.cities[name] = c
	}
	served := c.visit(now, p.rand, p.calm > 0)
	p.calm = max(0, p.calm-1)
	if served == refused {
		p.calm = calmAfterRefusal
	}
	return c.rooms(now), served
}

// room is the page behind a card. A room that has left the results, or was
// there before a restart, is shown as let: links in old emails stay good.
func (p *Portal) room(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || id <= 0 {
		http.NotFound(w, r)
		return
	}
	now := p.now()
	found, onOffer := p.find(id, now)
	render(w, http.StatusOK, "room.html", roomPage{card: newCard(found, now), Let: !onOffer, Text: found.text()})
}

// find is the room with an id, and whether it is on offer now.
func (p *Portal) find(id int64, now time.Time) (room, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := ""
	for _, c := range p.cities {
		for _, r := range c.rooms(now) {
			if r.id == id {
				return r, true
			}
		}
		if c.tag == id%tags {
			name = c.name
		}
	}
	return invent(id, name), false
}

func (p *Portal) photo(w http.ResponseWriter, r *http.Request) {
	digits, isPNG := strings.CutSuffix(r.PathValue("file"), ".png")
	id, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || id <= 0 || !isPNG {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "max-age=86400") // a room's picture never changes
	_, _ = w.Write(picture(id))                      // a reader who left needs no answer
}

// render writes a page whole, or an error: never half of one by accident.
func render(w http.ResponseWriter, status int, name string, data any) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, data); err != nil {
		http.Error(w, "demo portal: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes())
}
