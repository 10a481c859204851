//go:build linux

package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var kills = flag.Int("kills", killsPerWorld, "how often Notifio is killed in TestKills")

// killsPerWorld is how often each world's Notifio is killed: twice while it is new,
// once in each other way, and at as many random moments.
const killsPerWorld = 20

// Notifio is killed again and again, at random moments and in the middle of
// everything that it must not do half. Whatever a portal has shown for one whole
// check or longer is told; told twice is only what was killed between the mail
// server's 250 and the commit, by the very same email.
func TestKills(t *testing.T) {
	var sum tally
	t.Run("worlds", func(t *testing.T) {
		for n := 0; n < *kills; n += killsPerWorld {
			t.Run(fmt.Sprint(n/killsPerWorld+1), func(t *testing.T) {
				c := newCampaign(t)
				c.run(min(killsPerWorld, *kills-n))
				sum.add(c.judge())
			})
		}
	})
	t.Log(&sum)
}

// tally is what a campaign came to.
type tally struct {
	mu                               sync.Mutex
	kills, published, passing        int
	told, lost, doubled, foul, false int
}

func (s *tally) add(o *tally) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kills += o.kills
	s.published += o.published
	s.passing += o.passing
	s.told += o.told
	s.lost += o.lost
	s.doubled += o.doubled
	s.foul += o.foul
	s.false += o.false
}

func (s *tally) String() string {
	return fmt.Sprintf("%d kills, %d listings published (%d of them for a single check), %d told, %d lost, "+
		"%d told twice by the same email, killed between the 250 and the commit, %d told twice in another way, %d told that were no news",
		s.kills, s.published, s.passing, s.told, s.lost, s.doubled, s.foul, s.false)
}

// campaign is a world in which Notifio lives many short lives.
type campaign struct {
	*world
	random *rand.Rand
	sites  []*site
	rooms  []*room // all that were news
	lives  []*life
}

// life is one run of the program, from its start to its kill.
type life struct {
	end      ending
	begun    time.Time
	from, to int // its requests among all of the portal's; to is 0 while it lives
}

func newCampaign(t *testing.T) *campaign {
	w := newWorld(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	c := &campaign{world: w, random: rand.New(rand.NewPCG(seed, 0))}
	c.open("a", "/rooms")
	c.open("a", "/studios")
	c.open("b", "/rooms")
	var all []wanted
	for _, s := range c.sites {
		all = append(all, wanted{s.name, s.search.URL()})
	}
	w.configure(w.file("1s", all...))
	return c
}

// run is n lives that end by a kill, and a last one in which everything is told
// that has not been yet.
func (c *campaign) run(n int) {
	for _, e := range c.endings(n) {
		c.live(e)
	}
	c.live(lastly())
}

// endings are the first two of a new Notifio, and the others in any order.
func (c *campaign) endings(n int) []ending {
	all := byName()
	for len(all) < killsPerWorld-len(first()) {
		all = append(all, atRandom())
	}
	c.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return append(first(), all...)[:n]
}

// live starts the program, goes on publishing while it runs, and returns when
// nothing is left of it.
func (c *campaign) live(e ending) {
	c.t.Helper()
	l := &life{end: e, from: len(c.portal.All())}
	if c.settled() && !e.newborn {
		c.publish()
	}
	c.death = e.death
	l.begun = time.Now()
	p := c.start()
	c.lives = append(c.lives, l)
	c.goOn(p, e)
	awaitEnds(c.t, family(c.home))
	c.inbox.Heal()
	l.to = len(c.portal.All())
	if status, _ := p.cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGKILL {
		c.t.Fatalf("to be killed %s, it ended by itself: %v\n%s", e.name, p.cmd.ProcessState, p.out.String())
	}
	c.account()
}

// goOn publishes now and then until the program has ended.
func (c *campaign) goOn(p *program, e ending) {
	c.t.Helper()
	now := func() bool { return false }
	if e.arm != nil {
		e.arm(c, p)
	}
	if e.when != nil {
		now = e.when(c, p)
	}
	late := time.After(2 * patience) // it may have to learn its searches first
	for {
		asked, shown, written := c.portal.Changed(), c.desk.Changed(), c.inbox.Changed()
		if now() {
			p.strike()
		}
		select {
		case <-p.ended:
			return
		case <-asked:
			if !e.quiet && c.settled() && c.random.IntN(3) == 0 {
				c.publish()
			}
		case <-shown:
		case <-written:
		case <-late:
			if e.quiet {
				p.strike() // judge says what is missing
				continue
			}
			c.t.Fatalf("it was to be killed %s, and lives. The log:\n%s", e.name, p.log())
		}
	}
}

// judge compares what the portal has shown with what the mail server has got.
func (c *campaign) judge() *tally {
	sum := &tally{kills: len(c.lives) - 1, published: len(c.rooms)}
	letters := c.letters()
	for _, r := range c.rooms {
		if r.passing {
			sum.passing++
		}
		told := letters.about(r)
		switch {
		case len(told) == 0:
			sum.lost++
			c.t.Errorf("lost: %s", c.story(r, told))
		case len(told) == 1:
			sum.told++
		case c.forgivable(told):
			sum.told++
			sum.doubled++
		default:
			sum.told++
			sum.foul++
			c.t.Errorf("told more than once: %s", c.story(r, told))
		}
	}
	for _, link := range letters.others(c.rooms) {
		sum.false++
		c.t.Errorf("no news, and told: %s", link)
	}
	for _, left := range c.leftovers() {
		c.t.Errorf("the ledger was damaged: %s", left)
	}
	c.t.Log(sum)
	return sum
}

// story says what has become of a room, for who has to find out why.
func (c *campaign) story(r *room, told []letter) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, passing %v, shown in requests %v, emails", r.link(), r.passing, r.shown)
	for _, l := range told {
		fmt.Fprintf(&b, " %s %s", l.at.Format("15:04:05.000"), l.id)
	}
	for n, l := range c.lives {
		fmt.Fprintf(&b, "\nlife %d from %s, requests %d to %d, killed %s", n+1, l.begun.Format("15:04:05.000"), l.from, l.to, l.end.name)
	}
	return b.String()
}
