//go:build linux

package main

import (
	"slices"
	"time"

	"notifio.app/notifio/internal/fake/inbox"
)

// ending is one way for a life to end by a kill.
type ending struct {
	name string
	// One of these kills: death is where the program kills itself; arm leads
	// somebody else to do it; when says whether something has happened upon which
	// it is to be done.
	death *death
	arm   func(*campaign, *program)
	when  func(*campaign, *program) (now func() bool)
	// newborn lives come before there is any news.
	newborn bool
	// quiet lives find only what there is already.
	quiet bool
	// near250 may fall between the mail server's 250 and the commit.
	near250 bool
}

// first are the endings of a Notifio that has never watched anything.
func first() []ending {
	return []ending{
		{name: "while it made its database", death: inserting("meta"), newborn: true},
		{name: "while it wrote its first baseline", death: inserting("record"), newborn: true},
	}
}

// byName are the other moments at which something could be left half done.
func byName() []ending {
	return []ending{
		{name: "in the middle of writing an alert", death: inserting("alert")},
		{name: "before the commit of an alert", death: inserting("alert").atCommit()},
		{name: "after the commit of an alert, at its banner", when: atBanner},
		{name: "while it wrote a baseline", death: updating("record")},
		{name: "before the commit of what it is about to send", death: inserting("message").atCommit()},
		{name: "in the middle of the email's data", arm: atMailStep(inbox.AtMessage, inbox.Fault{Silent: true})},
		{name: "after the data, before the 250", arm: atMailStep(inbox.AtEnd, inbox.Fault{Silent: true, Keep: true}), near250: true},
		{name: "after the 250", death: deleting("message"), near250: true},
		{name: "before the commit of what was told", death: deleting("message").atCommit(), near250: true},
	}
}

// atRandom kills within the first seconds of a life, in which there are checks,
// news, emails, and a start.
func atRandom() ending {
	return ending{name: "at a random moment", near250: true, arm: func(c *campaign, p *program) {
		time.AfterFunc(time.Duration(c.random.Int64N(int64(5*time.Second))), p.strike)
	}}
}

// atBanner kills as soon as the desktop is asked to show another banner about a
// room: its alert is committed then, and its email not yet begun.
func atBanner(c *campaign, _ *program) (now func() bool) {
	before := len(c.desk.Banners())
	return func() bool { return len(c.desk.Banners()) > before }
}

// atMailStep kills in the middle of a conversation with the mail server.
func atMailStep(at inbox.Step, f inbox.Fault) func(*campaign, *program) {
	return func(c *campaign, p *program) {
		f.Met = p.strike
		c.inbox.Fail(at, f)
	}
}

// lastly is the end of the last life: every room has been told, and then one more.
// Without it, that nothing else was told would be a matter of patience.
func lastly() ending {
	return ending{name: "at last", quiet: true, when: func(c *campaign, _ *program) func() bool {
		asked := false
		return func() bool {
			all := c.letters()
			if slices.ContainsFunc(c.rooms, func(r *room) bool { return len(all.about(r)) == 0 }) {
				return false
			}
			if asked {
				return true
			}
			c.publish()
			asked = true
			return false
		}
	}}
}
