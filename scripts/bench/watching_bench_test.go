//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/portal"
)

// BenchmarkWatching lets the real program watch fifteen searches on five hosts for
// twenty cycles, with an icon in the tray. Between the cycles it measures what CPU
// is used; and it publishes listings, to see how long they take to banner and mail.
func BenchmarkWatching(b *testing.B) {
	h := newHousehold(b)
	searches := h.fifteen(5)
	h.configure("", searches)
	p := h.start()
	h.desk.AwaitIcon()
	h.settled(30) // the second look at a first baseline is over
	h.desk.Forget()
	news := newPublisher(h, searches)
	idle := &idleness{}
	began, cycles := time.Now(), runs(20, 2)
	for h.cycles(began) <= cycles {
		idle.look(p, h)
		news.publish()
		time.Sleep(500 * time.Millisecond)
	}
	labels := float64(len(h.desk.LabelChanges())) / time.Since(began).Minutes()
	news.await(90 * time.Second)

	hand(b, reading{Row: rowIdle, What: "CPU between cycles, of one core: Notifio, node and Chromium", Unit: "%", Ours: idle.all,
		Note: idle.split(), Aim: &aim{"≤ 1 %", onMedian, 1}})
	hand(b, reading{Row: rowIdle, What: "labels of the menu that are sent", Unit: "a minute", Ours: []float64{labels}})
	took := 15.0 + news.check
	half := &floor{"half the interval + one check", []float64{took}}
	hand(b, reading{Row: rowNews, What: "real: listing on the portal to its banner", Unit: "s", Ours: news.bannered, Floor: half})
	hand(b, reading{Row: rowNews, What: "real: listing on the portal to the mail server's 250", Unit: "s", Ours: news.mailed, Floor: half,
		Missed: len(news.at) - len(news.mailed)})
}

// cycles is how many cycles have begun since a time: with pauses of over 8 s between
// their requests.
func (h *household) cycles(since time.Time) int {
	n := 0
	var last time.Time
	for _, r := range h.portal.All() {
		if r.At.After(since) && r.At.Sub(last) > 8*time.Second {
			n++
		}
		last = r.At
	}
	return n
}

// idleness is the CPU that is used between cycles, one sample for each pause.
type idleness struct {
	all, own, node, chromium []float64
	from                     moment // zero: no pause is being measured
	last                     moment
	seen                     int // requests
}

// moment is what a tree has used up to a time, in seconds of a core.
type moment struct {
	at                  time.Time
	own, node, chromium float64
}

// look is called often. A pause is measured from three seconds after its cycle's
// last request to the last look before the next cycle.
func (i *idleness) look(p *process, h *household) {
	now, seen := time.Now(), len(h.portal.All())
	if seen != i.seen {
		i.take()
		i.seen = seen
		return
	}
	if now.Sub(h.last()) < 3*time.Second {
		return
	}
	m := moment{at: now}
	m.own, m.node, m.chromium = p.tree().parts(cpu)
	i.last = m
	if i.from.at.IsZero() {
		i.from = m
	}
}

// take takes a pause as measured, if it was long enough to tell.
func (i *idleness) take() {
	from, d := i.from, i.last.at.Sub(i.from.at).Seconds()
	i.from = moment{}
	if from.at.IsZero() || d < 8 {
		return
	}
	own, node, chromium := 100*(i.last.own-from.own)/d, 100*(i.last.node-from.node)/d, 100*(i.last.chromium-from.chromium)/d
	i.all = append(i.all, own+node+chromium)
	i.own, i.node, i.chromium = append(i.own, own), append(i.node, node), append(i.chromium, chromium)
}

func (i *idleness) split() string {
	if len(i.all) == 0 {
		return ""
	}
	return usage{own: i.own, node: i.node, chromium: i.chromium}.split()
}

// publisher puts new rooms on pages at random times.
type publisher struct {
	h        *household
	searches []*portal.Search
	shown    [][]int
	next     time.Time
	at       map[int]time.Time // when a room was published
	seen     int               // banners
	mails    int
	bannered []float64 // s
	mailed   []float64 // s
	check    float64   // s
}

func newPublisher(h *household, searches []*portal.Search) *publisher {
	p := &publisher{h: h, searches: searches, at: map[int]time.Time{}, next: time.Now(), check: 0.6}
	for n := range searches {
		p.shown = append(p.shown, portal.Range(100*n+30, 100*n+1))
	}
	h.desk.Forget()
	p.seen, p.mails = len(h.desk.Banners()), len(h.inbox.Messages())
	return p
}

// publish is called often; about every twelve seconds it does what it says. What has
// arrived meanwhile is noted.
func (p *publisher) publish() {
	p.note()
	if time.Now().Before(p.next) {
		return
	}
	p.next = time.Now().Add(time.Duration(4+rand.IntN(17)) * time.Second)
	n, room := rand.IntN(len(p.searches)), 5000+len(p.at)
	p.shown[n] = append([]int{room}, p.shown[n]...)
	p.searches[n].Show(p.shown[n]...)
	p.at[room] = time.Now()
}

// note looks for banners and mails that have come; a banner is looked for twice a
// second, which is how exact its time is.
func (p *publisher) note() {
	now := time.Now()
	for _, banner := range p.h.desk.Banners()[p.seen:] {
		p.seen++
		for room, at := range p.at {
			if strings.Contains(banner.Title+banner.Body, fmt.Sprintf("Elm Street %d", room)) {
				p.bannered = append(p.bannered, now.Sub(at).Seconds())
			}
		}
	}
	for _, m := range p.h.inbox.Messages()[p.mails:] {
		p.mails++
		text := m.Text()
		for room, at := range p.at {
			if strings.Contains(text, fmt.Sprintf("/room/%d", 100_000+room)) {
				p.mailed = append(p.mailed, m.At.Sub(at).Seconds())
			}
		}
	}
}

// await waits until all that was published has been mailed.
func (p *publisher) await(limit time.Duration) {
	for late := time.Now().Add(limit); len(p.mailed) < len(p.at) && time.Now().Before(late); {
		time.Sleep(200 * time.Millisecond)
		p.note()
	}
}
