package monitor

import (
	"fmt"
	"time"
)

// replyCase is everything that decides about one waiting reply at one moment.
type replyCase struct {
	gone       bool // its search, or that search's recipe, is not there any more
	mode       ReplyMode
	elsewhere, // the listing is not on the recipe's host
	answered, // there is a reply, or a decision, on record
	filtered, // the search's filters do not let it pass now
	stale bool // it was found too long ago
	off, held, approved bool
	today, limit        int // replies of the recipe today

	told, delayed bool   // the user knows of the listing; its delay is not over
	busy          string // what is in its way now; "" for nothing
	turn          bool   // it shares the spacing of its host with the checks, which are at it
}

// replyMove is what is to be done with a waiting reply.
type replyMove int

const (
	replyWaits     replyMove = iota
	replyAsks                // for the user's click
	replyTakesTurn           // between two checks of its host
	replyStarts
	replyDrops // quietly: the reason is in the menu
	replyStops // with a banner: the user may want to do something
)

// move decides, and says why it is not replyStarts.
func (c replyCase) move() (replyMove, string) {
	switch {
	case c.answered:
		return replyDrops, "there was a reply already"
	case c.gone:
		return replyDrops, "its search has no recipe any more"
	case c.stale:
		return replyDrops, "it was found too long ago"
	case c.elsewhere:
		return replyStops, "the listing is on another host than the recipe"
	case c.filtered:
		return replyStops, "it is outside the search's filters now"
	case c.off:
		return replyDrops, "the recipe is switched off"
	case c.held:
		return replyWaits, "replies wait for your click in the menu"
	case c.today >= c.limit:
		return replyDrops, fmt.Sprintf("the daily limit of %d is reached", c.limit)
	case !c.told:
		return replyWaits, "the listing is told first"
	case c.mode == Ask && !c.approved:
		return replyAsks, ""
	case c.delayed:
		return replyWaits, "its delay is not over"
	case c.busy != "":
		return replyWaits, c.busy
	case c.turn:
		return replyTakesTurn, "it takes its turn at the site"
	}
	return replyStarts, ""
}

// repliesOn counts the replies of a recipe, dry runs among them, on the day of now,
// where now is.
func repliesOn(entries []ReplyEntry, recipe string, now time.Time) int {
	y, m, d := now.Date()
	n := 0
	for _, e := range entries {
		ey, em, ed := e.At.In(now.Location()).Date()
		if e.Recipe == recipe && (e.Event == ReplyAbout || e.Event == ReplyTried) && ey == y && em == m && ed == d {
			n++
		}
	}
	return n
}

// failuresInARow counts the last failures of a recipe in its present state, since
// the user last allowed replies.
func failuresInARow(entries []ReplyEntry, recipe, print string) int {
	n := 0
	for _, e := range entries {
		switch {
		case e.Event == ReplyRelease:
			n = 0
		case e.Recipe != recipe || e.Print != print:
		case e.Event == ReplyFailed:
			n++
		case e.Event == ReplySent, e.Event == ReplyTried:
			n = 0
		}
	}
	return n
}
