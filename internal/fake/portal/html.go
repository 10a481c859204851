package portal

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"strconv"
	"strings"
	"time"
)

// linkPrefix and firstID make links as portals have them: `/room/100021` is
// room 21. An id of one digit would look like a page number.
const (
	linkPrefix = "/room/"
	firstID    = 100_000
)

func link(id int) string { return linkPrefix + strconv.Itoa(firstID+id) }

// html is the results page: a heading that counts, and a card for each room.
func (p page) html() string { return p.document(p.rooms, "") }

// lazy has the cards from n on added by a script.
func (p page) lazy(n int, after time.Duration) string {
	if p.total == 0 {
		p.total = len(p.rooms)
	}
	later, err := json.Marshal(cards(p.rooms[n:]))
	if err != nil {
		return err.Error()
	}
	return p.document(p.rooms[:n], fmt.Sprintf(
		"<script>setTimeout(() => document.getElementById('results').insertAdjacentHTML('beforeend', %s), %d)</script>",
		later, after.Milliseconds()))
}

func (p page) document(rooms []Room, tail string) string {
	total := p.total
	if total == 0 {
		total = len(rooms)
	}
	var paid strings.Builder
	for _, r := range p.promoted {
		paid.WriteString(r.card("<em>Sponsored</em>"))
	}
	return fmt.Sprintf(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Rooms to rent</title></head>
<body><header><a href="/">Fake Rooms</a></header>
<main><h1>%d rooms</h1>
<div id="results">
%s%s</div></main>
%s<footer>Fake Rooms is for tests.</footer></body></html>
`, total, paid.String(), cards(rooms), tail)
}

func cards(rooms []Room) string {
	var all strings.Builder
	for _, r := range rooms {
		all.WriteString(r.card(""))
	}
	return all.String()
}

func (r Room) card(mark string) string {
	title, address := r.Title, r.Address
	if title == "" {
		title = fmt.Sprintf("Home %d", r.ID)
	}
	if address == "" {
		address = fmt.Sprintf("Elm Street %d", r.ID)
	}
	return fmt.Sprintf(`<article>%s<a href="%s"><img src="/photo/%d.gif" alt=""><h2>%s</h2></a><address>%s</address>%s%s</article>
`, mark, link(r.ID), r.ID, html.EscapeString(title), html.EscapeString(address),
		shown(r.Price, 1000, `<p class="price">€ %d per month</p>`), shown(r.Area, 20, `<p>%d m²</p>`))
}

// shown is a number in its words; 0 stands for the usual one, -1 for none.
func shown(n, usual int, words string) string {
	switch n {
	case -1:
		return ""
	case 0:
		n = usual
	}
	return fmt.Sprintf(words, n)
}

const (
	emptyPage = `<!DOCTYPE html><html lang="en"><title>Rooms to rent</title><main><h1>0 rooms</h1>
<p>No results were found for your search. Save it and come back tomorrow.</p></main></html>`

	barePage = `<!DOCTYPE html><html lang="en"><title>Rooms to rent</title><main><h1>Rooms</h1><div id="results"></div></main></html>`

	robotPage = `<!DOCTYPE html><html lang="en"><title>One moment</title><main><h1>Please verify you are human</h1>
<p>Something about your browser made us think of a robot.</p><form><button>I am not a robot</button></form></main></html>`

	refusedPage = `<!DOCTYPE html><html lang="en"><title>Too many requests</title><main><h1>Too many requests</h1></main></html>`

	loginPage = `<!DOCTYPE html><html lang="en"><title>Sign in</title><main><h1>Sign in to go on</h1>
<form method="post"><input name="email" type="email"><input name="password" type="password"><button>Sign in</button></form></main></html>`

	homePage = `<!DOCTYPE html><html lang="en"><title>Fake Rooms</title><main><h1>Find your home</h1>
<p>Thousands of homes in every city.</p><a href="/about">About us</a></main></html>`

	otherPage = `<!DOCTYPE html><html lang="en"><title>Maintenance tonight</title><main><h1>A letter to our visitors</h1>
<p>We are moving to a new building and will be back with a better page. Thank you for your patience with us.</p></main></html>`
)

// pixel is a transparent GIF of one pixel.
var pixel, _ = base64.StdEncoding.DecodeString("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
