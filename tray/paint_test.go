package tray

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
	"pgregory.net/rapid"
)

// painted starts a painter on v.
func painted(v monitor.View, now time.Time) *painter {
	p, m := &painter{}, Menu(v, now, Offer{})
	p.start(m)
	p.icon, p.tooltip, p.state = m.Icon, m.Tooltip, m.Items[0].State
	return p
}

func TestNothingChangedNothingSent(t *testing.T) {
	p := painted(sample(noon), noon)
	c := p.paint(Menu(sample(noon), noon, Offer{}), noon, true)
	if len(c.items) != 0 || c.icon != "" || c.tooltip != "" {
		t.Errorf("sent %+v", c)
	}
}

func TestCountdownWaitsForItsStep(t *testing.T) {
	v := sample(noon)
	p := painted(v, noon)
	later := Menu(v, noon.Add(10*time.Second), Offer{})
	if c := p.paint(later, noon.Add(10*time.Second), false); len(c.items) != 0 || c.tooltip != "" {
		t.Errorf("between steps: sent %+v", c)
	}
	c := p.paint(later, noon.Add(10*time.Second), true)
	if len(c.items) != 1 || c.items[0].label != "Watching 4 searches · next check in 0:10" || c.tooltip == "" {
		t.Errorf("at the step: sent %+v", c)
	}
}

func TestStateIsShownAtOnce(t *testing.T) {
	v := sample(noon)
	p := painted(v, noon)
	v.Rows[0].Text, v.Phase, v.Total = "24 listings", monitor.Checking, 4
	c := p.paint(Menu(v, noon, Offer{}), noon, false)
	want := map[string]bool{"Checking 1 of 4…": true, "Centrum — 24 listings": true}
	for _, x := range c.items {
		if x.relabel && want[x.label] {
			delete(want, x.label)
		}
	}
	if len(want) != 0 || c.tooltip == "" {
		t.Errorf("missing %v in %+v", want, c)
	}
}

// On Windows a hidden item reappears when its text is set.
func TestHiddenItemsAreLeftAlone(t *testing.T) {
	v := sample(noon)
	p := painted(v, noon)
	v.Rows = v.Rows[:1]
	for _, x := range p.paint(Menu(v, noon, Offer{}), noon, true).items {
		if x.hide && (x.relabel || x.enable || x.disable || x.show) {
			t.Errorf("hidden and changed: %+v", x)
		}
	}
	if c := p.paint(Menu(v, noon, Offer{}), noon, true); len(c.items) != 0 {
		t.Errorf("hidden items were touched again: %+v", c.items)
	}
}

// Whatever came before, the menu shows the model as soon as its labels may move
// again, and a click never means anything but what the label says.
func TestMenuFollowsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		models := []monitor.View{{}, sample(noon), hostile(), crowded()}
		p := painted(models[0], noon)
		screen := append([]drawn(nil), p.drawn...)
		now := noon
		for range rapid.IntRange(1, 8).Draw(t, "views") {
			v := models[rapid.IntRange(0, len(models)-1).Draw(t, "view")]
			now = now.Add(time.Duration(rapid.IntRange(0, 9000).Draw(t, "milliseconds")) * time.Millisecond)
			m := Menu(v, now, Offer{Mail: rapid.Bool().Draw(t, "mail")})
			c := p.paint(m, now, rapid.Bool().Draw(t, "step"))
			for _, x := range c.items {
				play(screen, x, now, t)
			}
			if rapid.Bool().Draw(t, "rest") {
				now = now.Add(step)
				for _, x := range p.paint(m, now, true).items {
					play(screen, x, now, t)
				}
				compare(t, screen, flatten(m.Items))
			}
		}
	})
}

// A row that changes every second is sent every five; what it says then is the
// newest, and it is not forgotten when nothing else happens.
func TestLabelThatKeepsChangingIsSentInSteps(t *testing.T) {
	v := sample(noon)
	p := painted(v, noon)
	sent := map[string]time.Duration{}
	var due time.Time
	for at := time.Duration(0); at <= 12*time.Second; at += time.Second {
		now := noon.Add(at)
		if at <= 7*time.Second {
			v.Rows[0].Text = at.String() + " of listings"
		}
		c := p.paint(Menu(v, now, Offer{}), now, false)
		due = c.due
		for _, x := range c.items {
			if strings.HasPrefix(x.label, "Centrum") {
				sent[x.label] = at
			}
		}
	}
	want := map[string]time.Duration{"Centrum — 0s of listings": 0, "Centrum — 5s of listings": 5 * time.Second, "Centrum — 7s of listings": 10 * time.Second}
	if !maps.Equal(sent, want) || !due.IsZero() {
		t.Errorf("sent %v, want %v; due %v", sent, want, due)
	}
}

// One search of a host changes all the time; the countdown on its rows is the same at
// every moment all the same.
func TestCountdownsOfAHostMoveTogether(t *testing.T) {
	v := sample(noon)
	for i := range v.Rows {
		v.Rows[i].RetryAt = noon.Add(100 * time.Second)
	}
	p := painted(v, noon)
	moves := map[string]bool{}
	for at := time.Duration(0); at < 90*time.Second; at += 500 * time.Millisecond {
		now := noon.Add(at)
		if at%(3*time.Second) == 0 {
			v.Rows[1].Text = fmt.Sprintf("refused (%v)", at)
		}
		p.paint(Menu(v, noon.Add(at.Truncate(step)), Offer{}), now, at%step == 0)
		var ends []string
		for _, d := range p.drawn {
			if _, end, found := strings.Cut(d.label, "next try in "); found && strings.HasPrefix(d.label, "Funda") {
				ends = append(ends, end)
			}
		}
		if len(ends) != 2 || ends[0] != ends[1] {
			t.Fatalf("after %v the countdowns are %q", at, ends)
		}
		moves[ends[0]] = true
	}
	if len(moves) < 8 {
		t.Errorf("the countdown moved %d times in 90 s", len(moves))
	}
}

// Pause is answered at once, also when the header has only just changed.
func TestClickIsAnsweredAtOnce(t *testing.T) {
	v := sample(noon)
	p := painted(v, noon)
	v.Phase, v.Total = monitor.Checking, 4
	p.paint(Menu(v, noon, Offer{}), noon, false)
	v.Phase = monitor.Paused
	now := noon.Add(time.Second)
	if c := p.paint(Menu(v, now, Offer{}), now, false); p.drawn[0].label != "Checking 1 of 4…" || c.due.IsZero() {
		t.Errorf("without a click the header says %q, due %v", p.drawn[0].label, c.due)
	}
	p.hurry()
	if p.paint(Menu(v, now, Offer{}), now, false); p.drawn[0].label != "Paused" {
		t.Errorf("after a click the header says %q", p.drawn[0].label)
	}
}

// A listing that has moved down a place is still the one that its old label opens.
func TestClickMeansWhatTheLabelSays(t *testing.T) {
	v := sample(noon)
	p := painted(v, noon)
	at := slices.IndexFunc(p.drawn, func(d drawn) bool { return strings.HasPrefix(d.label, "€ 1.450") })
	newer := v.Recent[0]
	for i, id := range []string{"a22", "a23"} {
		newer.ID, newer.Listing.URL, newer.Listing.Address = id, "https://www.example.com/home/"+id, "Singel "+id
		v.Recent = append([]monitor.Alert{newer}, v.Recent...)
		now := noon.Add(time.Duration(i) * time.Second)
		c := p.paint(Menu(v, now, Offer{}), now, false)
		if d := p.drawn[at]; !strings.Contains(d.label, "Singel a22") || d.do != (Action{Open, "https://www.example.com/home/a22"}) || c.due.IsZero() != (i == 0) {
			t.Errorf("after %s: %+v, due %v", id, d, c.due)
		}
	}
}

// Twenty minutes in which something changes with every view: no label is sent more
// than once in five seconds, and no memory is kept.
func TestTwentyMinutesOfStatesCostLittle(t *testing.T) {
	p := painted(monitor.View{}, noon)
	last := map[int]time.Time{}
	var before, after runtime.MemStats
	labels := 0
	for at := time.Duration(0); at < 20*time.Minute; at += 250 * time.Millisecond {
		if at == time.Minute {
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
		now := noon.Add(at)
		v := turbulent(int(at/(250*time.Millisecond)), now)
		for _, x := range p.paint(Menu(v, now, Offer{Mail: true, SignIn: true}), now, at%step == 0).items {
			if !x.relabel {
				continue
			}
			labels++
			if was, again := last[x.at]; again && now.Sub(was) < labelPace {
				t.Fatalf("item %d was sent again after %v: %s", x.at, now.Sub(was), x.label)
			}
			last[x.at] = now
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 256<<10 {
		t.Errorf("%d kB more after twenty minutes", grown>>10)
	}
	if labels < 20*60/5 {
		t.Errorf("only %d labels were sent: nothing was tested", labels)
	}
}

// turbulent is the nth view of a life in which every row changes all the time.
func turbulent(n int, now time.Time) monitor.View {
	v := crowded()
	v.Phase = []monitor.Phase{monitor.Watching, monitor.Checking, monitor.Checking, monitor.Watching, monitor.Offline}[n%5]
	v.Done, v.Total, v.NextCheck = n%5, 15, now.Add(time.Duration(n%40)*time.Second)
	v.Unseen = n % 3
	for i := range v.Rows {
		if v.Rows[i].State == monitor.RowDisabled {
			continue
		}
		v.Rows[i].Checked = now
		if v.Rows[i].Text = fmt.Sprintf("%d listings", n+i); (n+i)%7 == 0 {
			v.Rows[i].State, v.Rows[i].Text, v.Rows[i].RetryAt = monitor.RowRefused, "refused (429)", now.Add(time.Minute)
		}
	}
	v.Recent = slices.Concat(v.Recent[n%10:], v.Recent[:n%10])
	v.Troubles = v.Troubles[:1]
	return v
}

// play does to a screen what the library would.
func play(screen []drawn, x change, now time.Time, t *rapid.T) {
	s := &screen[x.at]
	if x.relabel {
		if now.Sub(s.sent) < labelPace {
			t.Fatalf("item %d: %q is sent %v after the label before it", x.at, x.label, now.Sub(s.sent))
		}
		s.label, s.sent = x.label, now
	}
	s.visible = (s.visible || x.show) && !x.hide
	s.enabled = (s.enabled || x.enable) && !x.disable
}

func compare(t *rapid.T, screen []drawn, want []Item) {
	for i, it := range want {
		s := screen[i]
		if s.visible != it.Visible || it.Visible && !it.Separator && (s.label != it.Label || s.enabled != it.Enabled) {
			t.Fatalf("item %d shows %+v, want %+v", i, s, it)
		}
	}
}
