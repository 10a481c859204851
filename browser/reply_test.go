package browser

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// landlord is a site with a contact form behind a link, in the ways that a path says.
func landlord(sent *atomic.Int32) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		page := func(body string) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte("<!doctype html><title>Room</title>" + body))
		}
		form := func(field, more, action string) {
			page(`<h1>Room</h1><button id="open" onclick="document.forms[0].hidden = false">Contact</button>
<form method="post" action="` + action + `" hidden>` + field + more + `<label><input type="checkbox" id="terms" required> I agree</label>
<select id="when"><option>now</option><option>later</option></select><button id="send">Send</button></form>`)
		}
		area := `<textarea id="message" name="message"></textarea>`
		if r.Method == http.MethodPost {
			sent.Add(1)
		}
		switch r.URL.Path {
		case "/room":
			form(area, "", "/thanks")
		case "/dear":
			form(area, "", "/thanks")
			page(`<p class="rent">Rent: € 1,500 per month, deposit € 3,000</p>`)
		case "/cheap":
			form(area, "", "/thanks")
			page(`<p class="rent">€ 900 per month</p>`)
		case "/renamed":
			form(`<textarea id="note"></textarea>`, "", "/thanks")
		case "/twice":
			form(area+area, "", "/thanks")
		case "/more":
			form(area, `<input name="income" required>`, "/thanks")
		case "/clears":
			form(`<textarea id="message" onblur="this.value = ''"></textarea>`, "", "/thanks")
		case "/abroad":
			form(area, "", "http://b.localhost/thanks")
		case "/replied":
			form(area, "<p>Your message was sent</p>", "/thanks")
		case "/silent-room":
			form(area, "", "/nothing")
		case "/covered":
			page(`<textarea id="message"></textarea><button id="open">Contact</button><input type="checkbox" id="terms"><select id="when"><option>later</option></select><button id="send">Send</button>
<div style="position: fixed; inset: 0">We value your privacy</div>`)
		case "/login":
			page(`<form><input type="password"></form>`)
		case "/to-login":
			http.Redirect(w, r, "/login", http.StatusFound)
		case "/to-b":
			http.Redirect(w, r, "http://b.localhost:"+strings.Split(r.Host, ":")[1]+"/room", http.StatusFound)
		case "/refused":
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(http.StatusTooManyRequests)
			page("<h1>Too many requests</h1>")
		case "/thanks":
			page("<p>Your message was sent</p>")
		default:
			w.WriteHeader(http.StatusNotFound)
			page("<p>Nothing</p>")
		}
	}
}

// replyCase is one page with a form, and what becomes of a reply there.
type replyCase struct {
	path, reason string
	outcome      monitor.ReplyOutcome
	dry          bool
	sent         int32
	refuses      bool // the seal
	price        string
}

func TestReplyInAPage(t *testing.T) {
	t.Parallel()
	b := browserFor(t, func(o *Options) { o.Log = nil })
	for _, c := range []replyCase{
		{path: "/room", outcome: monitor.ReplyConfirmed, sent: 1},
		{path: "/room", outcome: monitor.ReplyPrepared, dry: true},
		{path: "/room", refuses: true},
		{path: "/dear", price: ".rent", outcome: monitor.ReplyStopped, reason: "over the filter's 1200"},
		{path: "/cheap", price: ".rent", outcome: monitor.ReplyPrepared, dry: true},
		{path: "/cheap", price: ".rente", outcome: monitor.ReplyStopped, reason: ".rente: it is not on the page"},
		{path: "/renamed", outcome: monitor.ReplyStopped, reason: "#message: it is not on the page"},
		{path: "/twice", outcome: monitor.ReplyStopped, reason: "there are 2 of it"},
		{path: "/more", outcome: monitor.ReplyStopped, reason: "wants more than the recipe fills in"},
		{path: "/clears", outcome: monitor.ReplyStopped, reason: "changed what was filled"},
		{path: "/abroad", outcome: monitor.ReplyStopped, reason: "leads to another site, b.localhost"},
		{path: "/replied", outcome: monitor.ReplyStopped, reason: "a reply already"},
		{path: "/silent-room", outcome: monitor.ReplyUnconfirmed, reason: "no confirmation", sent: 1},
		{path: "/covered", outcome: monitor.ReplyStopped, reason: "cannot be used"},
		{path: "/to-login", outcome: monitor.ReplyStopped, reason: "login page"},
		{path: "/to-b", outcome: monitor.ReplyStopped, reason: "another site, b.localhost"},
		{path: "/refused", outcome: monitor.ReplyRefused, reason: "answered 429"},
		{path: "/nowhere", outcome: monitor.ReplyStopped, reason: "404"},
	} {
		t.Run(strings.TrimPrefix(c.path, "/"), func(t *testing.T) {
			t.Parallel() // what is not there is waited for
			c.try(t, b)
		})
	}
}

// try sends one reply to a landlord of its own.
func (c replyCase) try(t *testing.T, b *Browser) {
	var sent atomic.Int32
	at := serve(t, landlord(&sent))
	job := monitor.ReplyJob{
		Listing: monitor.Listing{URL: at("a", c.path)}, DryRun: c.dry, MaxPrice: 1200, Patience: 10 * time.Second, // on a busy machine
		Recipe: monitor.Recipe{Host: "a.localhost", Success: "text=Your message was sent", Price: c.price},
		Steps: []monitor.Step{
			{Do: monitor.Click, At: "#open"}, {Do: monitor.Fill, At: "#message", With: "Dear landlord,\nhello"},
			{Do: monitor.Check, At: "#terms"}, {Do: monitor.Select, At: "#when", With: "later"}, {Do: monitor.Submit, At: "#send"},
		},
	}
	sealed, no := 0, errors.New("not now")
	result, picture, err := b.Reply(t.Context(), job, func() error {
		sealed++
		if c.refuses {
			return no
		}
		return nil
	})
	if c.refuses {
		if !errors.Is(err, no) || sent.Load() != 0 {
			t.Errorf("%s: without a seal %v, %d sent", c.path, err, sent.Load())
		}
		return
	}
	if err != nil || result.Outcome != c.outcome || !strings.Contains(result.Reason, c.reason) {
		t.Errorf("%s: %+v, %v, want %s %q", c.path, result, err, c.outcome, c.reason)
	}
	if sent.Load() != c.sent || int32(sealed) != c.sent {
		t.Errorf("%s: sent %d times and sealed %d, want %d", c.path, sent.Load(), sealed, c.sent)
	}
	if len(picture) < 1000 {
		t.Errorf("%s: a picture of %d bytes", c.path, len(picture))
	}
	if c.outcome == monitor.ReplyRefused && result.RetryAfter != 2*time.Minute {
		t.Errorf("%s: stay away for %v", c.path, result.RetryAfter)
	}
}
