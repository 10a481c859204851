package monitor

import (
	"slices"
	"strings"
	"time"
)

// recentAlerts is how many alerts are kept for the menu after they were told.
const recentAlerts = 10

// perMessage is how many listings one email tells at most; the others follow in
// the next one.
const perMessage = 50

// outbox holds the alerts that somebody has still to be told of, and the ten
// newest of all. It belongs to the monitor's goroutine.
type outbox struct {
	open     map[string]Alert   // by ID
	fresh    []string           // IDs that have no banner yet
	messages map[string]Message // sealed ones, whose fate is not known, by ID
	posts    map[string]*post   // by recipient
	mailAt   time.Time          // monotonic: when the first news goes at the latest; zero: none waits
}

func newOutbox(mem Memory) outbox {
	o := outbox{open: map[string]Alert{}, messages: map[string]Message{}, posts: map[string]*post{}}
	for _, a := range mem.Alerts {
		o.open[a.ID] = a
		if !a.Bannered {
			o.fresh = append(o.fresh, a.ID)
		}
	}
	for _, msg := range mem.Messages {
		o.messages[msg.ID] = msg
	}
	return o
}

// add takes over what a check has found, and says what is to be written.
func (o *outbox) add(out outcome) []Alert {
	var changed []Alert
	put := func(a Alert) {
		o.open[a.ID] = a
		changed = append(changed, a)
	}
	for _, a := range out.repriced {
		put(a)
	}
	for _, a := range out.alerts {
		put(a)
		o.fresh = append(o.fresh, a.ID)
	}
	return changed
}

// join adds a search's name to alerts that are still on their way to everybody.
func (o *outbox) join(ids []string, search string) []Alert {
	var changed []Alert
	for _, id := range ids {
		a, open := o.open[id]
		if !open || a.Closed || a.Names(search) {
			continue
		}
		a.Searches = append(slices.Clone(a.Searches), search)
		o.open[id] = a
		changed = append(changed, a)
	}
	return changed
}

// trim forgets what has been told, but for the ten newest.
func (o *outbox) trim() {
	for i, a := range o.newest() {
		if i >= recentAlerts && a.Closed {
			delete(o.open, a.ID)
		}
	}
}

// newest are all alerts, the newest first.
func (o *outbox) newest() []Alert { return o.newestOf(func(Alert) bool { return true }) }

// newestOf are the alerts that are wanted, the newest first.
func (o *outbox) newestOf(wanted func(Alert) bool) []Alert {
	var out []Alert
	for _, a := range o.open {
		if !wanted(a) {
			continue
		}
		if out == nil {
			out = make([]Alert, 0, len(o.open))
		}
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b Alert) int {
		if c := b.Found.Compare(a.Found); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}

// pendingFor are the alerts that a recipient has still to be told of, the newest first.
func (o *outbox) pendingFor(recipient string) []Alert {
	return o.newestOf(func(a Alert) bool { return a.PendingFor(recipient) })
}
