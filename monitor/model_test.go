package monitor_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"notifio.app/notifio/monitor"
)

// Random stories over the real monitor. A story is drawn first, as data, so that
// a failing one shrinks; then it runs in a bubble against a portal, an inbox and
// a disk that do what the story says, and what comes of it is held against what
// must always be true.

// storyChecks is how many stories `go test` runs; -rapid.checks=N runs others.
const storyChecks = "60"

func TestRandomStories(t *testing.T) {
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		if err := f.Value.Set(storyChecks); err != nil {
			t.Fatal(err)
		}
		defer f.Value.Set(f.DefValue)
	}
	rapid.Check(t, func(rt *rapid.T) {
		story := drawStory(rt)
		var broken error
		synctest.Test(t, func(t *testing.T) { broken = story.run(t) })
		if broken != nil {
			rt.Fatal(broken)
		}
	})
}

// step is one turn of a story: something happens, then some cycles go by.
type step struct {
	do     string
	search int // index of the search that it concerns
	n      int
	cycles int
}

type drawn struct {
	seed   uint64
	limit  float64 // max_price of the first search; 0: none
	first  []int   // listings on each search's first page
	steps  []step
	counts bool // pages show their total
}

// doings are what can happen, the ordinary more often.
var doings = []string{
	"grow", "grow", "grow", "grow", "let", "let", "half", "whole", "shape", "refuse", "refuse", "serve", "serve",
	"sign out", "time out", "unreachable", "stray", "empty", "mail down", "mail up", "sleep", "clock back",
	"restart", "check now", "pause", "resume", "disable", "enable", "cheaper", "browser", "promote", "slow", "quick",
	"mark", "unmark", "update",
}

func drawStory(rt *rapid.T) drawn {
	d := drawn{
		seed:   rapid.Uint64().Draw(rt, "seed"),
		limit:  rapid.SampledFrom([]float64{0, 0, 1100}).Draw(rt, "limit"),
		first:  rapid.SliceOfN(rapid.IntRange(0, 30), 3, 3).Draw(rt, "first"),
		counts: rapid.Bool().Draw(rt, "counts"),
	}
	d.steps = rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) step {
		return step{
			do:     rapid.SampledFrom(doings).Draw(rt, "do"),
			search: rapid.IntRange(0, 2).Draw(rt, "search"),
			n:      rapid.IntRange(1, 12).Draw(rt, "n"),
			cycles: rapid.IntRange(0, 3).Draw(rt, "cycles"),
		}
	}), 1, 40).Draw(rt, "steps")
	return d
}

// told of two searches on one host and one on another.
var modelURLs = []string{"https://a.example/p", "https://a.example/q", "https://b.example/r"}

// model is the small, obvious half: what the portal really has, and who was told.
type model struct {
	*world
	d       drawn
	rand    *rand.Rand
	notes   *notes
	truth   [][]int // listings on each search, newest first
	prices  map[int]float64
	promo   map[int]bool
	marked  map[int]bool // whose cards call them let
	reader  int          // its version; each has addresses of its own for all homes
	next    int
	special map[int]monitor.Page // instead of the truth
	half    map[int]bool
	paused  bool

	held      sync.Mutex           // guards the two below: the portal and the monitor call in as well
	refusedAt map[string]time.Time // by host and by search, wall: when it last refused
	broken    []string
	letters   []monitor.Letter
}

func (d drawn) run(t *testing.T) error {
	m := &model{
		world: newWorld(t, t.TempDir()), d: d, rand: rand.New(rand.NewPCG(d.seed, 7)), notes: newNotes(),
		prices: map[int]float64{}, promo: map[int]bool{}, marked: map[int]bool{}, special: map[int]monitor.Page{}, half: map[int]bool{},
		refusedAt: map[string]time.Time{}, next: 100,
	}
	for i, url := range modelURLs {
		m.search(string(rune('P'+i)), url)
		m.truth = append(m.truth, nil)
		m.grow(i, d.first[i])
	}
	m.settings.Searches[0].Filter.MaxPrice = d.limit
	m.world.disk = func(l ledger) ledger { m.notes.ledger = l; return m.notes }
	m.world.look = m.look
	m.seed = d.seed
	m.portal.watch = m.asked
	m.show()
	m.start()
	for _, s := range d.steps {
		m.act(s)
		m.show()
		m.wait(s.cycles)
	}
	m.ending()
	m.stop()
	m.account()
	if len(m.broken) > 0 {
		return fmt.Errorf("%s\n%s", strings.Join(m.broken, "\n"), m.lines.tail())
	}
	return nil
}

func (m *model) breaks(format string, args ...any) {
	m.held.Lock()
	defer m.held.Unlock()
	if len(m.broken) < 5 {
		m.broken = append(m.broken, fmt.Sprintf(format, args...))
	}
}

func (m *model) grow(i, n int) {
	for range n {
		m.truth[i] = append([]int{m.next}, m.truth[i]...)
		m.prices[m.next] = 1000 + float64(m.rand.IntN(200))
		m.next++
	}
}

// wait lets cycles go by, or the time of one where there are none.
func (m *model) wait(cycles int) {
	for range cycles {
		time.Sleep(35 * time.Second)
		synctest.Wait()
	}
	m.portal.drain()
}

// act lets one thing happen.
func (m *model) act(s step) {
	i := s.search
	switch s.do {
	case "grow":
		m.grow(i, s.n)
	case "let":
		for range min(s.n, len(m.truth[i])) {
			at := m.rand.IntN(len(m.truth[i]))
			m.truth[i] = slices.Delete(slices.Clone(m.truth[i]), at, at+1)
		}
	case "half":
		m.half[i] = true
	case "whole":
		m.half[i] = false
	case "shape":
		m.truth[i] = nil
		m.grow(i, s.n+8)
	case "refuse":
		m.special[i] = refused(0)
	case "serve":
		delete(m.special, i)
	case "sign out":
		m.special[i] = signedOut()
	case "time out":
		m.special[i] = timeout()
	case "unreachable":
		m.special[i] = unreachable()
	case "stray":
		m.special[i] = strayed()
	case "empty":
		m.truth[i] = nil
	case "cheaper":
		for _, n := range m.truth[i] {
			if m.rand.IntN(12) < s.n {
				m.prices[n] *= 0.9
			}
		}
	case "promote":
		if len(m.truth[i]) > 0 {
			m.promo[m.truth[i][0]] = !m.promo[m.truth[i][0]]
		}
	case "mark", "unmark":
		for _, n := range m.truth[i] {
			if m.rand.IntN(12) < s.n {
				m.marked[n] = s.do == "mark"
			}
		}
	case "update":
		m.reader++
	case "slow", "quick":
		m.portal.slow(modelURLs[i], time.Duration(s.n)*2*time.Second, s.do == "slow")
	case "browser":
		m.portal.fail(modelURLs[i], fmt.Errorf("%w: crashed", monitor.ErrBrowser))
	default:
		m.actOnProgram(s)
	}
}

// actOnProgram lets something happen to the program and the machine around it.
func (m *model) actOnProgram(s step) {
	switch s.do {
	case "mail down":
		m.inbox.down()
	case "mail up":
		m.inbox.up()
	case "sleep":
		m.sleepFor(time.Duration(s.n) * time.Hour)
	case "clock back":
		m.sleepFor(-time.Duration(s.n) * 10 * time.Minute)
		m.held.Lock()
		for who := range m.refusedAt {
			m.refusedAt[who] = time.Time{} // measured on a clock that is gone
		}
		m.held.Unlock()
		time.Sleep(2 * time.Second)
	case "restart":
		m.restart()
		m.letters = append(m.letters, m.inbox.take()...)
		if m.paused {
			m.mon.Pause(time.Time{})
		}
	case "check now":
		m.mon.CheckNow()
	case "pause":
		m.paused = true
		m.mon.Pause(time.Time{})
	case "resume":
		m.paused = false
		m.mon.Resume()
	case "disable", "enable":
		if s.search > 0 {
			m.edit(m.settings.Searches[s.search].Name, func(q *monitor.Search) { q.Enabled = s.do == "enable" })
		}
	}
}

// show puts the truth, or what hides it, on the portal's pages.
func (m *model) show() {
	for i, url := range modelURLs {
		if page, hidden := m.special[i]; hidden {
			m.portal.set(url, page)
			continue
		}
		m.portal.set(url, m.page(i))
	}
}

func (m *model) page(i int) monitor.Page {
	if len(m.truth[i]) == 0 {
		return empty()
	}
	shown := m.truth[i]
	if m.half[i] {
		shown = shown[:(len(shown)+2)/3]
	}
	var ls []monitor.Listing
	for _, n := range shown {
		l := homeAt(n, m.prices[n])
		l.Promoted, l.Let = m.promo[n], m.marked[n]
		if m.reader > 0 {
			for before := range m.reader {
				l.Aliases = append(l.Aliases, canonicalOf(n, before))
			}
			l.Canonical = canonicalOf(n, m.reader)
			l.Key = l.Canonical
		}
		ls = append(ls, l)
	}
	p := results(ls...)
	p.Reader = strconv.Itoa(m.reader)
	if m.d.counts {
		p.Total = len(p.Ordinary())
	}
	return p
}

// canonicalOf is the address of a home as a version of the reader writes it.
func canonicalOf(n, reader int) string {
	if reader == 0 {
		return home(n).Canonical
	}
	return fmt.Sprintf("site.example/v%d?home=%d", reader, n)
}

// ending heals everything and gives it the time to be told.
func (m *model) ending() {
	m.special, m.half, m.paused = map[int]monitor.Page{}, map[int]bool{}, false
	m.inbox.up()
	m.mon.Resume()
	for _, s := range m.settings.Searches {
		m.edit(s.Name, func(q *monitor.Search) { q.Enabled = true })
	}
	m.show()
	time.Sleep(45 * time.Minute) // beyond the highest rung
	for range 60 {
		if m.view().Phase == monitor.Watching {
			break
		}
		time.Sleep(time.Second)
	}
	for i, r := range m.view().Rows {
		if want := len(m.page(i).Ordinary()); r.Listings != want || r.State != monitor.RowFine {
			m.breaks("%s has settled at %d listings in state %q (%s), the page has %d", r.Name, r.Listings, r.State, r.Text, want)
		}
	}
	if v := m.view(); v.Pending != 0 {
		m.breaks("%d alerts are still pending", v.Pending)
	}
	m.letters = append(m.letters, m.inbox.take()...)
}

// asked holds each request against what the host said before.
func (m *model) asked(s monitor.Search, verdict monitor.Verdict, began, ended time.Time) {
	host, url := s.Host(), s.URL
	now := m.wall()
	began, ended = now.Add(-ended.Sub(began)), now // the wall's, which sleeps as well
	m.held.Lock()
	at, was := m.refusedAt[host]
	own, again := m.refusedAt[url]
	delete(m.refusedAt, host)
	switch {
	case verdict.Clean(), verdict == monitor.SignedOut:
		delete(m.refusedAt, url)
	case verdict == monitor.Refused:
		m.refusedAt[url] = ended
		if !again { // else perhaps this search alone
			m.refusedAt[host] = ended
		}
	}
	m.held.Unlock()
	if was && began.Before(at.Add(54*time.Second)) || again && began.Before(own.Add(54*time.Second)) {
		m.breaks("%s was asked %v after it refused, by %s after %v", host, began.Sub(at), url, began.Sub(own))
	}
}

// look holds each published view against what must hold of all of them.
func (m *model) look(v monitor.View) {
	retry := map[string]time.Time{}
	for _, r := range v.Rows {
		if left := r.RetryAt.Sub(v.At); left > 33*time.Minute+time.Second {
			m.breaks("%s counts down from %v", r.Name, left)
		}
		if r.State != monitor.RowHeld { // a refused one may wait longer
			continue
		}
		if other, seen := retry[r.Host]; seen && !other.Equal(r.RetryAt) {
			m.breaks("%s is tried again at %v and at %v", r.Host, other, r.RetryAt)
		}
		retry[r.Host] = r.RetryAt
	}
	if v.NextCheck.Sub(v.At) > 36*time.Second {
		m.breaks("the next check is %v away", v.NextCheck.Sub(v.At))
	}
}

// account is the end of a story: what was on an accepted page is told once, or
// named, or in a first baseline; and nothing else is told.
func (m *model) account() {
	if _, clash := m.portal.crowd(); clash {
		m.breaks("two checks of one host at a time")
	}
	told := map[string]int{} // by Alert.ID, and of what is new by title: an update gives it another key
	for _, l := range m.letters {
		for _, a := range l.Alerts {
			told[a.ID]++
			if a.Kind == monitor.New {
				told[a.Listing.Title]++
			}
			if a.Listing.Let {
				m.breaks("%s was told and is let", a.ID)
			}
			if a.Kind == monitor.New && !m.notes.seen[a.Listing.Key] {
				m.breaks("%s was told and stood on no accepted page", a.ID)
			}
		}
	}
	for id, n := range told {
		if n > 1 {
			m.breaks("%s was told %d times", id, n)
		}
	}
	log := m.lines.text()
	for at, k := range m.notes.known {
		switch k.How {
		case monitor.Alerted:
			if told[k.Title] == 0 {
				m.breaks("%s of %s counts as told and was not", k.Key, at.search)
			}
		case monitor.Adopted:
			if !strings.Contains(log, k.Title) {
				m.breaks("%s of %s was adopted and is not named in the log", k.Key, at.search)
			}
		}
	}
	for at := range m.notes.baselined {
		if _, ok := m.notes.known[at]; !ok {
			m.breaks("%s stood on an accepted page of %s and is not known", at.key, at.search)
		}
	}
	for key := range m.notes.seen {
		if k := m.notes.first[key]; k.How == "" && told["new "+key] == 0 {
			m.breaks("%s is lost", key)
		}
	}
	if n := len(m.notes.messages); n > 0 {
		m.breaks("%d messages are still on their way", n)
	}
}

type place struct{ search, key string }

// notes are a ledger that keeps what was written for the account at the end.
type notes struct {
	ledger
	mu        sync.Mutex
	known     map[place]monitor.Known
	messages  map[string]bool
	seen      map[string]bool          // keys on any accepted page or first look
	baselined map[place]bool           // on an accepted page
	first     map[string]monitor.Known // how a key first became known
}

func newNotes() *notes {
	return &notes{known: map[place]monitor.Known{}, messages: map[string]bool{},
		seen: map[string]bool{}, baselined: map[place]bool{}, first: map[string]monitor.Known{}}
}

func (n *notes) Save(ctx context.Context, c monitor.Change) error {
	n.mu.Lock()
	n.note(c)
	n.mu.Unlock()
	return n.ledger.Save(ctx, c)
}

// note keeps what the monitor wanted to write, for the account at the enn.
func (n *notes) note(c monitor.Change) {
	for _, r := range c.Records {
		for _, l := range r.Baseline {
			n.seen[l.Key], n.baselined[place{r.Search, l.Key}] = true, true
		}
		if r.Look != nil {
			for _, l := range r.Look.Listings {
				n.seen[l.Key] = true
			}
		}
	}
	for _, k := range c.Known {
		n.known[place{k.Search, k.Key}] = k
		if _, known := n.first[k.Key]; !known {
			n.first[k.Key] = k
		}
	}
	for _, m := range c.Messages {
		n.messages[m.ID] = true
	}
	for _, id := range c.Sent {
		delete(n.messages, id)
	}
}
