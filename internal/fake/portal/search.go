package portal

import (
	"slices"
	"time"
)

// Host is one site. Its methods return it, so that a test reads in one line.
type Host struct {
	portal   *Portal
	name     string
	searches map[string]*Search // by path; guarded by portal.mu
	answer   *Answer            // stands before those of the searches
	session  int                // the one that counts; guarded as well
	logins   int
	contact  contact
}

// Search is the results page at a path, which shows nothing until a test says
// what. It is there from its first mention on.
func (h *Host) Search(path string) *Search {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	s := h.searches[path]
	if s == nil {
		s = &Search{host: h, path: path, answer: Page}
		h.searches[path] = s
	}
	return s
}

// Answer makes every search of the host answer so, until Recover.
func (h *Host) Answer(a Answer) *Host {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	h.answer = &a
	return h
}

// Recover gives their own answers back to the host's searches.
func (h *Host) Recover() *Host {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	h.answer = nil
	return h
}

// choice is what a request gets.
type choice struct {
	answer Answer
	page   page
	again  bool // the browser's own next try after a reset
}

// ownTries is how soon after a reset a request is the browser's own next try.
// Chromium makes one within milliseconds for each connection that it had opened
// ahead of time; all of them are reset, and none is a request of its own.
const ownTries = 250 * time.Millisecond

// next is what a request of now gets, and whether there is a search at the path.
func (h *Host) next(path string) (choice, bool) {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	s := h.searches[path]
	if s == nil {
		return choice{}, false
	}
	c := choice{answer: s.answer, page: s.page.clone()}
	switch {
	case time.Since(s.resetAt) < h.portal.ownTries:
		return choice{answer: Reset, again: true}, true
	case h.answer != nil:
		c.answer = *h.answer
	case len(s.queue) > 0:
		c.answer = s.queue[0]
		s.queue = s.queue[1:]
	}
	if c.answer.name == Page.name {
		c.page.rooms, s.passing = append(s.passing, c.page.rooms...), nil
	}
	if c.answer.name == Reset.name {
		s.resetAt = time.Now()
	}
	return c, true
}

// Search is one saved results page. Its methods return it and take effect at
// the next request.
type Search struct {
	host   *Host
	path   string
	page   page     // guarded by portal.mu, as the rest
	answer Answer   // when the queue is empty
	queue  []Answer // one request each
	// passing stand before the other rooms on the next ordinary page, and no other.
	passing []Room
	// resetAt is when a request was last reset, or zero when a test has scripted
	// the search since.
	resetAt time.Time
}

// Room is one home on the page. Only ID is needed: the rest has plain values.
type Room struct {
	ID      int
	Title   string // "": `Home ID`
	Price   int    // euro per month; 0: 1000; -1: none is shown
	Area    int    // m²; 0: 20; -1: none is shown
	Address string // "": `Elm Street ID`
}

// page is what a search shows.
type page struct {
	rooms    []Room
	promoted []Room
	total    int // 0: as many as there are rooms
}

func (p page) clone() page {
	return page{rooms: slices.Clone(p.rooms), promoted: slices.Clone(p.promoted), total: p.total}
}

// URL is the address to save: `http://a.localhost:PORT/rooms`.
func (s *Search) URL() string {
	return "http://" + s.host.name + ".localhost:" + s.host.portal.port + s.path
}

// Link is the address of a room's own page on this host.
func (s *Search) Link(id int) string {
	return "http://" + s.host.name + ".localhost:" + s.host.portal.port + link(id)
}

// Show puts rooms on the page, in this order (newest first, usually), and ends
// any other answer.
func (s *Search) Show(ids ...int) *Search {
	rooms := make([]Room, len(ids))
	for i, id := range ids {
		rooms[i] = Room{ID: id}
	}
	return s.Rooms(rooms...)
}

// ShowRange is Show of first, first-1, …, last, or upwards.
func (s *Search) ShowRange(first, last int) *Search { return s.Show(Range(first, last)...) }

// Range are the ids from first to last, both included, down or up.
func Range(first, last int) []int {
	step := 1
	if last < first {
		step = -1
	}
	ids := []int{first}
	for id := first; id != last; {
		id += step
		ids = append(ids, id)
	}
	return ids
}

// Rooms is Show for rooms with a title or a price of their own.
func (s *Search) Rooms(rooms ...Room) *Search {
	return s.change(func() { s.page.rooms, s.answer, s.queue = rooms, Page, nil })
}

// Pass puts rooms in front of the others for one request alone, the next that
// gets the ordinary page.
func (s *Search) Pass(ids ...int) *Search {
	return s.change(func() {
		for _, id := range ids {
			s.passing = append(s.passing, Room{ID: id})
		}
	})
}

// Promote puts paid cards in front of the others, in place of those before.
func (s *Search) Promote(rooms ...Room) *Search {
	return s.change(func() { s.page.promoted = rooms })
}

// Total is the page's own count of results where there are more than it shows;
// 0 makes it count its cards again.
func (s *Search) Total(n int) *Search { return s.change(func() { s.page.total = n }) }

// Answer is what requests get from now on.
func (s *Search) Answer(a Answer) *Search {
	return s.change(func() { s.answer, s.queue = a, nil })
}

// Next are the answers of the coming requests, one each; afterwards it is as
// it was.
func (s *Search) Next(answers ...Answer) *Search {
	return s.change(func() { s.queue = append(s.queue, answers...) })
}

func (s *Search) change(f func()) *Search {
	s.host.portal.mu.Lock()
	defer s.host.portal.mu.Unlock()
	s.resetAt = time.Time{}
	f()
	return s
}
