package portal

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// contact is what the rooms of a host have for those who want to write.
type contact struct {
	field   string  // id of the field for the text
	page    *Answer // in place of a room's page; nil: the page
	answer  *Answer // to a message; nil: thanks
	written []Written
}

// Written is a message that somebody has sent about a room.
type Written struct {
	Path string // of the room
	Text string
}

// thanksPage proves that a message has arrived.
const thanksPage = `<!DOCTYPE html><html lang="en"><title>Thank you</title><main><p>Your message was sent.</p></main></html>`

// Contact puts a form on the page of each room, with a field of this id for the text
// and a button with the id "send".
func (h *Host) Contact(field string) *Host {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	h.contact.field = field
	return h
}

// AnswerRooms makes the page of each room answer so.
func (h *Host) AnswerRooms(a Answer) *Host {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	h.contact.page = &a
	return h
}

// ServeRooms gives the pages of the rooms back.
func (h *Host) ServeRooms() *Host {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	h.contact.page = nil
	return h
}

// AnswerMessages makes what is sent be answered so, once it is written down.
func (h *Host) AnswerMessages(a Answer) *Host {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	h.contact.answer = &a
	return h
}

// Written are the messages that have come so far.
func (h *Host) Written() []Written {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	return slices.Clone(h.contact.written)
}

// AwaitWritten waits until n messages have come.
func (h *Host) AwaitWritten(ctx context.Context, n int) []Written {
	h.portal.t.Helper()
	h.portal.Await(ctx, fmt.Sprintf("%d messages to %s", n, h.name), func([]Request) bool { return len(h.Written()) >= n })
	return h.Written()
}

// room answers a request for a room's page, or for its form; it says whether this
// host has any.
func (h *Host) room(w http.ResponseWriter, r *http.Request) bool {
	if !strings.HasPrefix(r.URL.Path, linkPrefix) {
		return false
	}
	text := r.PostFormValue("text")
	h.portal.mu.Lock()
	c := h.contact
	if r.Method == http.MethodPost {
		h.contact.written = append(h.contact.written, Written{r.URL.Path, text})
		close(h.portal.changed)
		h.portal.changed = make(chan struct{})
	}
	h.portal.mu.Unlock()
	e := exchange{w: w, r: r, ending: h.portal.ending}
	switch {
	case c.field == "":
		return false
	case r.Method == http.MethodPost && c.answer != nil:
		c.answer.serve(e)
	case r.Method == http.MethodPost:
		write(w, http.StatusOK, thanksPage)
	case c.page != nil:
		c.page.serve(e)
	default:
		write(w, http.StatusOK, fmt.Sprintf(`<!DOCTYPE html><html lang="en"><title>Room</title><main><h1>A room</h1>
<form method="post"><textarea id=%q name="text"></textarea><button id="send">Send</button></form></main></html>`, c.field))
	}
	return true
}
