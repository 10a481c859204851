package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// mangle breaks a document in one of the ways that networks, scripts and other
// people's templates do.
func mangle(r *rand.Rand, document []byte) (string, []byte) {
	switch r.IntN(6) {
	case 0:
		return "cut anywhere", document[:r.IntN(len(document)+1)]
	case 1:
		out := bytes.Clone(document)
		for range 20 {
			out[r.IntN(len(out))] = byte(r.IntN(256))
		}
		return "bytes flipped", out
	case 2:
		return "classes shuffled", classAttribute.ReplaceAllFunc(document, func([]byte) []byte {
			return fmt.Appendf(nil, `class="c%d"`, r.IntN(50))
		})
	case 3:
		at := r.IntN(len(document))
		return "nested in itself", bytes.Join([][]byte{document[:at], document, document[at:]}, nil)
	case 4:
		return "end tags lost", endTag.ReplaceAllFunc(document, func(tag []byte) []byte {
			if r.IntN(3) == 0 {
				return nil
			}
			return tag
		})
	default:
		a, b := r.IntN(len(document)), r.IntN(len(document))
		return "a piece missing", append(bytes.Clone(document[:min(a, b)]), document[max(a, b):]...)
	}
}

var (
	classAttribute = regexp.MustCompile(`class="[^"]*"`)
	endTag         = regexp.MustCompile(`</(?:div|article|li|a|section)>`)
)

// sound checks what must hold of every page, however broken.
func sound(t *testing.T, what string, p monitor.Page) {
	t.Helper()
	if p.Verdict == "" || p.Reason == "" || strings.ContainsAny(p.Reason, "\n\r\x00") {
		t.Errorf("%s: verdict %q, reason %q", what, p.Verdict, p.Reason)
	}
	keys := map[string]bool{}
	for _, l := range p.Listings {
		if l.Key == "" || l.Canonical == "" || webLink(l.URL) == nil || keys[l.Key] {
			t.Errorf("%s: listing %+v", what, l)
		}
		keys[l.Key] = true
		for _, text := range []string{l.Title, l.Address, l.Price.Text} {
			if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\n\u202e") || utf8.RuneCountInString(text) > maxText+1 {
				t.Errorf("%s: text %q", what, text)
			}
		}
		if l.Photo != "" && webLink(l.Photo) == nil {
			t.Errorf("%s: photo %q", what, l.Photo)
		}
	}
}

func TestMangledPagesAreReadWithoutHarm(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "read", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	if folder := os.Getenv("NOTIFIO_PAGES"); folder != "" {
		real, err := filepath.Glob(filepath.Join(folder, "*.html"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, real...)
	}
	c, reader := chromium(t), testReader(t)
	r := rand.New(rand.NewPCG(1, 2)) // the same pages each time
	for range 30 {
		file := files[r.IntN(len(files))]
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		how, document := mangle(r, text)
		s := monitor.Search{URL: "https://rooms.example/search?city=brookfield"}
		p, _ := c.read(t, reader, s, document)
		sound(t, filepath.Base(file)+", "+how, p)
	}
}

// randomAnswer is an answer of the script as no page would give it: any tree of
// any elements with links, prices and headings anywhere.
func randomAnswer(r *rand.Rand) json.RawMessage {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	var nodes []map[string]any
	for i := range 1 + r.IntN(120) {
		n := map[string]any{"p": r.IntN(i+1) - 1}
		if r.IntN(3) > 0 {
			n["t"] = pick("div", "a", "h2", "article", "img", "span", "ul", "li", "nav", "input", "iframe", "noscript", "time", "address", "del", "main", "body")
		}
		for _, field := range [][2]string{ // in order, so that the trees are the same each time
			{"s", pick("€ 500 p.m.", "3 rooms", "12 results", "No rooms found", "Similar homes", "84 m²", "Added today", "€ - € - €", "\n", " ", "Are you human?")},
			{"h", pick("https://rooms.example/room/1", "https://rooms.example/room/2", "https://other.example/x?id=99", "https://rooms.example/search", "javascript:x", "http://[", "")},
			{"a", pick("Save", "4 bedrooms", "A long enough title")}, {"n", "<img src='/x.jpg'"}, {"b", "background:url("}, {"o", pick("heading", "navigation")}, {"y", "password"}, {"c", "old-price"},
		} {
			if r.IntN(4) == 0 {
				n[field[0]] = field[1]
			}
		}
		if r.IntN(9) == 0 {
			n["x"] = 1
		}
		if r.IntN(9) == 0 {
			n["d"] = map[string]string{"url": "/room/778899", "id": "1"}
		}
		nodes = append(nodes, n)
	}
	raw, err := json.Marshal(map[string]any{"url": "https://rooms.example/search", "base": "https://rooms.example/", "title": "x", "nodes": nodes})
	if err != nil {
		panic(err)
	}
	return raw
}

func TestAnyTreeIsReadWithoutHarm(t *testing.T) {
	t.Parallel()
	portals, err := assets.DecodePortals("x", []byte("[[portal]]\nname = \"mine\"\nhosts = [\"rooms.example\"]\nlisting = ['^/room/(?P<id>\\d+)']\n"))
	if err != nil {
		t.Fatal(err)
	}
	readers := []*reader{testReader(t), {portals: portals}}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range trees {
		raw := randomAnswer(r)
		l := loaded{URL: "https://rooms.example/search", FinalURL: "https://rooms.example/search", Status: 200, Raw: raw, At: time.Now()}
		if i%3 == 0 {
			l.Search.Link = "/room/"
		}
		sound(t, string(raw), readers[i%2].read(l))
		if t.Failed() {
			return
		}
	}
}

// A page of five megabytes with five thousand links is read whole, and so is one
// that is nested more deeply than any stack.
func TestHugePagesAreRead(t *testing.T) {
	t.Parallel()
	c, reader := chromium(t), testReader(t)
	var links, wide strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&links, `<div><a href="/room/%d"><b>Room %d by the lake</b></a><span>€ %d</span></div>`, 100000+i, i, 500+i)
	}
	wide.WriteString(links.String())
	for wide.Len() < 5<<20 {
		wide.WriteString(`<p class="filler">` + strings.Repeat(`Nothing but words about a neighbourhood, its parks and its trams. `, 20) + `</p>`)
	}
	pages := map[string]struct {
		document string
		least    int
	}{
		"5 MB and 5,000 links":  {wide.String(), 5000},
		"20,000 levels":         {strings.Repeat("<div>", 20000) + links.String()[:20000] + strings.Repeat("</div>", 20000), 0},
		"a title of a megabyte": {"<title>" + strings.Repeat("x", 1<<20) + "</title>" + links.String()[:5000], 1},
	}
	for name, page := range pages {
		s := monitor.Search{URL: "https://rooms.example/search?city=brookfield"}
		p, took := c.read(t, reader, s, []byte("<!doctype html><body>"+page.document))
		sound(t, name, p)
		if len(p.Listings) < page.least {
			t.Errorf("%s: %d listings (%s)", name, len(p.Listings), p.Reason)
		}
		t.Logf("%s: %d listings in %s", name, len(p.Listings), took.Round(time.Millisecond))
	}
}
