package tray

import (
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
	c := p.paint(Menu(sample(noon), noon, Offer{}), true)
	if len(c.items) != 0 || c.icon != "" || c.tooltip != "" {
		t.Errorf("sent %+v", c)
	}
}

func TestCountdownWaitsForItsStep(t *testing.T) {
	v := sample(noon)
	p := painted(v, noon)
	later := Menu(v, noon.Add(10*time.Second), Offer{})
	if c := p.paint(later, false); len(c.items) != 0 || c.tooltip != "" {
		t.Errorf("between steps: sent %+v", c)
	}
	c := p.paint(later, true)
	if len(c.items) != 1 || c.items[0].label != "Watching 4 searches · next check in 0:10" || c.tooltip == "" {
		t.Errorf("at the step: sent %+v", c)
	}
}

func TestStateIsShownAtOnce(t *testing.T) {
	v := sample(noon)
	p := painted(v, noon)
	v.Rows[0].Text, v.Phase, v.Total = "24 listings", monitor.Checking, 4
	c := p.paint(Menu(v, noon, Offer{}), false)
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
	for _, x := range p.paint(Menu(v, noon, Offer{}), true).items {
		if x.hide && (x.relabel || x.enable || x.disable || x.show) {
			t.Errorf("hidden and changed: %+v", x)
		}
	}
	if c := p.paint(Menu(v, noon, Offer{}), true); len(c.items) != 0 {
		t.Errorf("hidden items were touched again: %+v", c.items)
	}
}

// Whatever came before, after a step the menu shows exactly the model.
func TestMenuFollowsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		models := []monitor.View{{}, sample(noon), hostile(), crowded()}
		p := painted(models[0], noon)
		screen := append([]drawn(nil), p.drawn...)
		for range rapid.IntRange(1, 8).Draw(t, "views") {
			v := models[rapid.IntRange(0, len(models)-1).Draw(t, "view")]
			now := noon.Add(time.Duration(rapid.IntRange(0, 600).Draw(t, "seconds")) * time.Second)
			m := Menu(v, now, Offer{Mail: rapid.Bool().Draw(t, "mail")})
			atStep := rapid.Bool().Draw(t, "step")
			for _, x := range p.paint(m, atStep).items {
				play(screen, x)
			}
			if atStep {
				compare(t, screen, flatten(m.Items))
			}
		}
	})
}

// play does to a screen what the library would.
func play(screen []drawn, x change) {
	s := &screen[x.at]
	if x.relabel {
		s.label = x.label
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
