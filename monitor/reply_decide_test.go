package monitor

import (
	"strings"
	"testing"
	"time"
)

func TestReplyMoves(t *testing.T) {
	for _, c := range []struct {
		what string
		edit func(*replyCase)
		want replyMove
		why  string
	}{
		{"nothing in its way", func(*replyCase) {}, replyStarts, ""},
		{"replied to already", func(c *replyCase) { c.answered = true }, replyDrops, "already"},
		{"the search is gone", func(c *replyCase) { c.gone = true }, replyDrops, "no recipe"},
		{"found yesterday", func(c *replyCase) { c.stale = true }, replyDrops, "long ago"},
		{"on a partner's site", func(c *replyCase) { c.elsewhere = true }, replyStops, "another host"},
		{"became dearer", func(c *replyCase) { c.filtered = true }, replyStops, "filters"},
		{"recipe off", func(c *replyCase) { c.off = true }, replyDrops, "switched off"},
		{"after a restored backup", func(c *replyCase) { c.held = true }, replyWaits, "click"},
		{"the limit reached", func(c *replyCase) { c.today = 3 }, replyDrops, "limit of 3"},
		{"one below the limit", func(c *replyCase) { c.today = 2 }, replyStarts, ""},
		{"not told yet", func(c *replyCase) { c.told = false }, replyWaits, "told first"},
		{"its delay", func(c *replyCase) { c.delayed = true }, replyWaits, "delay"},
		{"a check of its host", func(c *replyCase) { c.turn = true }, replyTakesTurn, "its turn"},
		{"to be asked", func(c *replyCase) { c.mode = Ask }, replyAsks, ""},
		{"asked before it is told", func(c *replyCase) { c.mode, c.told = Ask, false }, replyWaits, "told first"},
		{"asked and clicked", func(c *replyCase) { c.mode, c.approved = Ask, true }, replyStarts, ""},
		{"clicked after a hold", func(c *replyCase) { c.mode, c.approved, c.held = Ask, true, true }, replyWaits, "click"},
		{"dearer during a hold", func(c *replyCase) { c.filtered, c.held = true, true }, replyStops, "filters"},
		{"dry run", func(c *replyCase) { c.mode = DryRun }, replyStarts, ""},
	} {
		r := replyCase{mode: Send, limit: 3, told: true}
		c.edit(&r)
		if move, why := r.move(); move != c.want || !strings.Contains(why, c.why) || (why == "") != (c.why == "") {
			t.Errorf("%s: %d %q, want %d %q", c.what, move, why, c.want, c.why)
		}
	}
}

func TestDailyLimitCountsTheUsersDay(t *testing.T) {
	amsterdam := time.FixedZone("CET", 3600)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 1, day, hour, minute, 0, 0, time.UTC) }
	entries := []ReplyEntry{
		{At: at(1, 22, 59), Recipe: "r", Event: ReplyAbout}, // 23:59 in Amsterdam
		{At: at(1, 23, 1), Recipe: "r", Event: ReplyAbout},  // 00:01 on the 2nd
		{At: at(1, 23, 2), Recipe: "r", Event: ReplySent},
		{At: at(2, 8, 0), Recipe: "other", Event: ReplyAbout},
		{At: at(2, 9, 0), Recipe: "r", Event: ReplyTried},
		{At: at(2, 9, 1), Recipe: "r", Event: ReplyFailed},
		{At: at(2, 9, 2), Recipe: "r", Event: ReplySkipped},
	}
	for _, c := range []struct {
		now  time.Time
		zone *time.Location
		want int
	}{
		{at(1, 22, 59), amsterdam, 1},
		{at(2, 10, 0), amsterdam, 2},
		{at(2, 10, 0), time.UTC, 1},
		{at(1, 23, 30), time.UTC, 2},
		{at(3, 10, 0), amsterdam, 0},
	} {
		if n := repliesOn(entries, "r", c.now.In(c.zone)); n != c.want {
			t.Errorf("at %v: %d, want %d", c.now.In(c.zone), n, c.want)
		}
	}
}

func TestFailuresInARowOfOneStateOfARecipe(t *testing.T) {
	of := func(events string) []ReplyEntry {
		kinds := map[rune]ReplyEntry{
			'f': {Recipe: "r", Print: "1", Event: ReplyFailed}, 's': {Recipe: "r", Print: "1", Event: ReplySent},
			't': {Recipe: "r", Print: "1", Event: ReplyTried}, 'F': {Recipe: "r", Print: "2", Event: ReplyFailed},
			'o': {Recipe: "o", Print: "1", Event: ReplyFailed}, 'k': {Recipe: "r", Print: "1", Event: ReplySkipped},
			'a': {Recipe: "r", Print: "1", Event: ReplyAbout}, 'R': {Event: ReplyRelease},
		}
		var out []ReplyEntry
		for _, e := range events {
			out = append(out, kinds[e])
		}
		return out
	}
	for events, want := range map[string]int{
		"": 0, "f": 1, "fff": 3, "ffs": 0, "fft": 0, "ffsf": 1, "fofof": 3, "fFf": 2, "fkaf": 2, "fffR": 0, "ffRf": 1,
	} {
		if n := failuresInARow(of(events), "r", "1"); n != want {
			t.Errorf("%s: %d, want %d", events, n, want)
		}
	}
}

func TestComposeFillsInEveryTemplate(t *testing.T) {
	r := Recipe{Message: "Dear landlord,\n{{.Title}} at {{.Address}}{{if .Area}}, {{.Area}} m²{{end}}.\n", Steps: []Step{
		{Do: Goto, At: "{{.URL}}?contact"}, {Do: Fill, At: "#m", With: "{{.Message}}"}, {Do: Submit, At: "button"},
	}}
	l := Listing{URL: "https://a.example/1", Title: "Room", Address: "Elm Street 1", AreaM2: 20}
	message, steps, err := r.Compose(l, "Centrum")
	if err != nil || message != "Dear landlord,\nRoom at Elm Street 1, 20 m²." || steps[0].At != "https://a.example/1?contact" || steps[1].With != message {
		t.Errorf("%q %+v %v", message, steps, err)
	}
	for _, wrong := range []string{"{{.Rent}}", "{{", "{{.Title | shout}}"} {
		r.Message = wrong
		if _, _, err := r.Compose(l, ""); err == nil || !strings.HasPrefix(err.Error(), "message: ") {
			t.Errorf("%q: %v", wrong, err)
		} else {
			t.Log(err)
		}
	}
}
