//go:build linux

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/internal/fake/portal"
)

// site is one search of a campaign and the page that it shows.
type site struct {
	name   string
	host   string
	path   string
	search *portal.Search
	page   []int // the rooms that stay, newest first
}

// room is one that was published after its search was known, so that it is news.
type room struct {
	id      int
	site    *site
	passing bool  // it leaves after one whole check
	shown   []int // the requests that showed it, among all of the portal's
	seen    bool  // it was on the page for a whole check
}

func (r *room) link() string { return r.site.search.Link(r.id) }

// pageLength is how many rooms a page shows at most: the oldest leave.
const pageLength = 25

// open makes a search with rooms that are there before anybody looks.
func (c *campaign) open(host, path string) {
	first := 1000*len(c.sites) + 20
	s := &site{name: host + strings.ReplaceAll(path, "/", " "), host: host, path: path, page: portal.Range(first, first-19)}
	s.search = c.portal.Host(host).Search(path).Show(s.page...)
	c.sites = append(c.sites, s)
}

// settled says whether every search has a baseline that a second check has
// confirmed: the third request of a life says so of the second.
func (c *campaign) settled() bool {
	if len(c.rooms) > 0 {
		return true
	}
	all := c.portal.All()
	for _, s := range c.sites {
		seen := 0
		for _, l := range c.lives {
			to := len(all)
			if l.to > 0 {
				to = l.to
			}
			seen = max(seen, len(s.requests(all[l.from:to])))
		}
		if seen < 3 {
			return false
		}
	}
	return true
}

func (s *site) requests(all []portal.Request) []portal.Request {
	return slices.DeleteFunc(slices.Clone(all), func(r portal.Request) bool { return r.Host != s.host || r.Path != s.path })
}

// publish puts one room on one of the pages, every third for one check alone.
func (c *campaign) publish() *room {
	s := c.sites[c.random.IntN(len(c.sites))]
	r := &room{id: 5001 + len(c.rooms), site: s, passing: c.random.IntN(3) == 0}
	c.rooms = append(c.rooms, r)
	if r.passing {
		s.search.Pass(r.id)
		return r
	}
	s.page = append([]int{r.id}, s.page...)
	s.page = s.page[:min(len(s.page), pageLength)]
	s.search.Show(s.page...)
	return r
}

// account writes down who was shown in the life that has ended, and shows the
// passing ones again whose only check was cut short by the kill: nobody could have
// told them. A check is whole when its host was asked again in the same life, or
// when there was a banner or an email about what it found.
func (c *campaign) account() {
	l := c.lives[len(c.lives)-1]
	all, letters, banners := c.portal.All(), c.letters(), c.desk.Banners()
	for _, r := range c.rooms {
		for n := l.from; n < l.to; n++ {
			if !r.onPageOf(all[n]) {
				continue
			}
			r.shown = append(r.shown, n)
			again := func(later portal.Request) bool { return later.Host == r.site.host }
			r.seen = r.seen || slices.ContainsFunc(all[n+1:l.to], again)
		}
		r.seen = r.seen || len(letters.about(r)) > 0
		for _, b := range banners {
			r.seen = r.seen || strings.HasSuffix(b.Title, fmt.Sprintf(" %d", r.id))
		}
		if r.passing && !r.seen && len(r.shown) > 0 && r.shown[len(r.shown)-1] >= l.from {
			r.site.search.Pass(r.id)
		}
	}
}

func (r *room) onPageOf(q portal.Request) bool {
	return q.Host == r.site.host && q.Path == r.site.path && slices.Contains(q.Shown, r.id)
}

// letter is an email that has arrived.
type letter struct {
	id    string
	at    time.Time
	text  string // as it came, but for the ends of its lines
	links []string
}

type letters []letter

func (c *campaign) letters() letters { return lettersOf(c.inbox.Messages()) }

func lettersOf(all []inbox.Message) letters {
	var found letters
	for _, m := range all {
		l := letter{id: m.ID(), at: m.At, text: strings.TrimSpace(strings.ReplaceAll(string(m.Raw), "\r\n", "\n"))}
		for _, word := range strings.Fields(m.Text()) {
			if strings.Contains(word, "/room/") && !slices.Contains(l.links, word) {
				l.links = append(l.links, word)
			}
		}
		found = append(found, l)
	}
	return found
}

func (all letters) about(r *room) letters {
	return slices.DeleteFunc(slices.Clone(all), func(l letter) bool { return !slices.Contains(l.links, r.link()) })
}

// others are the links to what is none of the rooms.
func (all letters) others(rooms []*room) []string {
	var found []string
	for _, l := range all {
		for _, link := range l.links {
			if !slices.ContainsFunc(rooms, func(r *room) bool { return r.link() == link }) {
				found = append(found, link)
			}
		}
	}
	return found
}

// forgivable says whether letters about one room are one letter that went again
// because nobody could know that it had arrived.
func (c *campaign) forgivable(told letters) bool {
	for n := 1; n < len(told); n++ {
		once, again := told[n-1], told[n]
		if once.id != again.id || once.text != again.text {
			return false
		}
		i := slices.IndexFunc(c.lives, func(l *life) bool { return l.begun.After(once.at) }) // the one after it arrived
		if i < 1 || !c.lives[i-1].end.near250 || again.at.Before(c.lives[i].begun) {
			return false
		}
	}
	return true
}

// leftovers are ledgers that were set aside as damaged.
func (c *campaign) leftovers() []string {
	found, _ := filepath.Glob(filepath.Join(c.data(), "*.bad-*"))
	return found
}
