package report

import (
	"slices"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// Host is a site that has refused us.
type Host struct {
	Name   string
	Blocks []Block // in the order of time
}

// Block is the time from a refusal to the next page that the host has served.
type Block struct {
	From, To time.Time
	Refusals int    // checks that were refused
	Reason   string // the evidence of the last of them
	Open     bool   // not over at the last check
	Unseen   bool   // nobody looked when it ended: To is the last refusal
}

// Length is how long the block lasted, as far as is known.
func (b Block) Length() time.Duration { return b.To.Sub(b.From) }

// longestWait is how long Notifio leaves a host alone at the most, when the host
// asks for it. A longer silence means that Notifio was not running.
const longestWait = 6*time.Hour + 30*time.Minute

// event is one end of a stretch: what a host answered at a moment that is known.
type event struct {
	at      time.Time
	refused bool
	served  bool
	checks  int
	reason  string
}

// hosts finds the blocks of every host.
func hosts(stretches []monitor.Stretch, zone *time.Location) []Host {
	events := map[string][]event{}
	for _, s := range stretches {
		host := monitor.HostOf(s.Search)
		refused := s.Verdict == monitor.Refused
		served := s.Verdict.Clean() || s.Verdict == monitor.SignedOut
		if !refused && !served {
			continue // a page that failed says nothing about a block
		}
		first := event{at: s.Since, refused: refused, served: served, checks: s.Checks, reason: s.Reason}
		last := first
		last.at, last.checks = s.Until, 0
		events[host] = append(events[host], first, last)
	}
	var out []Host
	for name, all := range events {
		slices.SortStableFunc(all, func(a, b event) int { return a.at.Compare(b.at) })
		if found := blocks(all, zone); len(found) > 0 {
			out = append(out, Host{Name: name, Blocks: found})
		}
	}
	slices.SortFunc(out, func(a, b Host) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// blocks walks through the events of one host in the order of time.
func blocks(events []event, zone *time.Location) []Block {
	var out []Block
	var b *Block
	for _, e := range events {
		if b != nil && e.at.Sub(b.To) > longestWait {
			b.Open, b.Unseen, b = false, true, nil
		}
		switch {
		case e.refused && b == nil:
			out = append(out, Block{From: e.at.In(zone), To: e.at.In(zone), Refusals: e.checks, Reason: e.reason, Open: true})
			b = &out[len(out)-1]
		case e.refused:
			b.To, b.Reason = e.at.In(zone), e.reason
			b.Refusals += e.checks
		case b != nil:
			b.To, b.Open, b = e.at.In(zone), false, nil
		}
	}
	return out
}
