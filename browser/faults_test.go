package browser

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"notifio.app/notifio/monitor"
)

// twenty is a page of twenty cards, newest first, below its own count.
func twenty() string {
	return "<!doctype html><title>Homes</title><h1>20 results</h1>" + cardsTo(20, 1)
}

func cardsTo(from, to int) string {
	var b strings.Builder
	for n := from; n >= to; n-- {
		fmt.Fprintf(&b, "<article data-id=%d><a href=/expose/%d>T %d</a><address>Park Lane %d</address><span class=price>€ %d</span></article>\n", n, n, n, n, 900+n)
	}
	return b.String()
}

// TestTwentyCards reads pages that have led other programs astray, in one browser.
func TestTwentyCards(t *testing.T) {
	b := browserFor(t, func(o *Options) { o.Log = nil })
	still := stillIn(t, b)
	cut := func(old, new string) string {
		t.Helper()
		page := twenty()
		if !strings.Contains(page, old) {
			t.Fatalf("the page has no %q", old)
		}
		return strings.ReplaceAll(page, old, new)
	}
	robot := "<!doctype html><title>One moment</title><h1>Please verify you are human</h1><div class=g-recaptcha></div><p>Your network sends unusually many requests.</p>"
	randomised := regexp.MustCompile(`<(article|span)`).ReplaceAllString(twenty(), "<$1 class=css-79elbk ")
	for _, c := range []struct {
		name, page string
		status     int
		verdict    monitor.Verdict
		listings   int
		check      func(p monitor.Page) string
	}{
		{name: "as it is", page: twenty(), verdict: monitor.Results, listings: 20},
		{name: "the third has no price", page: cut("<span class=price>€ 903</span>", ""), verdict: monitor.Results, listings: 20},
		{name: "the third has no address", page: cut("<address>Park Lane 3</address>", ""), verdict: monitor.Results, listings: 20},
		{name: "articles became sections", page: cut("article", "section"), verdict: monitor.Results, listings: 20},
		{name: "other classes at each load", page: randomised, verdict: monitor.Results, listings: 20},
		{name: "no links any more", page: cut("<a href", "<b title"), verdict: monitor.NotResults},
		{name: "cut after the seventh", page: twenty()[:strings.Index(twenty(), "<article data-id=13>")], verdict: monitor.Results, listings: 7},
		{name: "two at one address", page: cut("Park Lane 4<", "Park Lane 3<"), verdict: monitor.Results, listings: 20},
		{name: "a breadcrumb first in each card", page: cut("<a href=/expose", "<a href='/search?city=x'>Homes</a> <a href=/expose"), verdict: monitor.Results, listings: 20,
			check: func(p monitor.Page) string {
				for _, l := range p.Listings {
					if !strings.Contains(l.URL, "/expose/") {
						return "a link leads to " + l.URL
					}
				}
				return ""
			}},
		{name: "six, and others outside the area",
			page:    "<!doctype html><h1>6 results</h1>" + cardsTo(20, 15) + "<div class=alertBoxSeparator><h2>Results outside your area</h2></div>" + cardsTo(14, 1),
			verdict: monitor.Results, check: func(p monitor.Page) string {
				if n := len(p.Ordinary()); n != 6 {
					return fmt.Sprintf("%d count", n)
				}
				return ""
			}},
		{name: "a robot check with 200", page: robot, verdict: monitor.Refused},
		{name: "a consent wall", page: "<!doctype html><title>Before you continue</title><h1>We value your privacy</h1><p>We and our partners use cookies.</p><button>Accept all</button>", verdict: monitor.NotResults},
	} {
		p, _ := still.read(t, b.reader, searchAt("https://homes.example/search?city=x"), []byte(c.page))
		switch {
		case p.Verdict != c.verdict || c.listings > 0 && len(p.Ordinary()) != c.listings:
			t.Errorf("%s: %s (%s), %d listings", c.name, p.Verdict, p.Reason, len(p.Ordinary()))
		case c.check != nil && c.check(p) != "":
			t.Errorf("%s: %s", c.name, c.check(p))
		}
	}
	if log.Writer() != os.Stderr {
		t.Error("the driver has led the log of the whole program elsewhere")
	}
	t.Run("a robot check with 405", func(t *testing.T) { refusedWith405(t, b, robot) })
	t.Run("a login below a consent overlay", func(t *testing.T) { loginBelowOverlay(t, b) })
	t.Run("a site that turns automatic browsers away", func(t *testing.T) { turnedAway(t, b) })
	t.Run("a browser that has grown too large", func(t *testing.T) { grownTooLarge(t, b) })
}

// stillIn is a page without scripts in a browser that runs already.
func stillIn(t *testing.T, b *Browser) *still {
	t.Helper()
	off := false
	c, err := b.engine.context.Browser().NewContext(playwright.BrowserNewContextOptions{JavaScriptEnabled: &off})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	page, err := c.NewPage()
	if err != nil {
		t.Fatal(err)
	}
	s := &still{page: page}
	if err := page.Route("**/*", s.answer); err != nil {
		t.Fatal(err)
	}
	return s
}

func refusedWith405(t *testing.T, b *Browser, page string) {
	at := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusMethodNotAllowed)
		_, _ = w.Write([]byte(page))
	})
	p, err := b.Check(t.Context(), searchAt(at("a", "/search")))
	if err != nil || p.Verdict != monitor.Refused || !strings.Contains(p.Reason, "405") {
		t.Errorf("%s %q, %v", p.Verdict, p.Reason, err)
	}
}

// A login page is read and left alone: nothing is clicked, filled in or sent.
func loginBelowOverlay(t *testing.T, b *Browser) {
	var sent atomic.Int32
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			sent.Add(1)
		}
		_, _ = w.Write([]byte(`<!doctype html><title>Log in</title><form action=/login method=post onsubmit="fetch('/seen', {method: 'POST'})">
<input name=email value=ana><input type=password name=p value=x><button autofocus>Log in</button></form>
<div style="position:fixed;inset:0;background:#fffc" onclick="event.stopPropagation();fetch('/clicked', {method: 'POST'})">We value your privacy <button>Accept all</button></div>`))
	})
	p, err := b.Check(t.Context(), searchAt(at("a", "/search")))
	if err != nil || p.Verdict != monitor.SignedOut {
		t.Errorf("%s %q, %v", p.Verdict, p.Reason, err)
	}
	if n := sent.Load(); n != 0 {
		t.Errorf("%d forms and clicks were sent", n)
	}
}

// A site that does not want automatic browsers hears that this is one, and is
// believed when it refuses.
func turnedAway(t *testing.T, b *Browser) {
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.UserAgent(), "HeadlessChrome") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_, _ = w.Write([]byte(twenty()))
	})
	if p, err := b.Check(t.Context(), searchAt(at("a", "/search"))); err != nil || p.Verdict != monitor.Refused || p.Status != http.StatusForbidden {
		t.Errorf("by its name: %s %q, %v", p.Verdict, p.Reason, err)
	}
	at = serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<!doctype html><title>Homes</title><body><script>document.body.innerHTML = navigator.webdriver ?
			'<h1>Are you human?</h1><p>Please verify you are human to go on.</p>' : ` + "`" + twenty() + "`" + `</script>`))
	})
	if p, err := b.Check(t.Context(), searchAt(at("b", "/search"))); err != nil || p.Verdict != monitor.Refused {
		t.Errorf("by its property: %s %q, %v", p.Verdict, p.Reason, err)
	}
}

// A browser that leaks is started anew between two cycles, looked at every few checks.
func grownTooLarge(t *testing.T, b *Browser) {
	e := b.engine
	if memory(e.node.pid) == 0 {
		t.Skip("this system does not tell what a browser's processes hold")
	}
	b.limits.Memory = 1
	if why := b.tired(e); why != "" {
		t.Errorf("after a few checks it is looked at already: %s", why)
	}
	e.mu.Lock()
	e.checks += memoryEvery
	e.mu.Unlock()
	if why := b.tired(e); why != "it has grown too big" {
		t.Errorf("it goes on (%q)", why)
	}
}

// A text from a page is one line without a trap, before anybody else sees it.
func TestTextsOfPagesAreOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"a\r\nBcc: eve@example.com": "a Bcc: eve@example.com", "\x00x\x1b[2J\u009b": "x [2J", "\u202Egnp.exe\u202C": "gnp.exe", "\xff\xfex": "x",
		"1.200\u00a0€\u2028per\u2029month": "1.200 € per month", " \u200b ": "", "<b>&amp;</b> $(x) ]]>": "<b>&amp;</b> $(x) ]]>",
	} {
		if got := clean(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if n := len([]rune(clean(strings.Repeat("x", 10_000)))); n != maxText+1 {
		t.Errorf("a title of 10,000 characters became one of %d", n)
	}
}

// Prices that were read a hundred times too high, or a thousand times too low.
func TestPricesThatOthersMisread(t *testing.T) {
	for text, want := range map[string]float64{
		"850.50 €": 850.5, "1,250 €": 1250, "1 250 €": 1250, "1'250 CHF": 1250, "1.234.567 €": 1234567, "1.200\u00a0€": 1200,
		"1\u2009250 €": 1250, "1\u2019250 CHF": 1250, "ab 1.250 €": 1250, "from £1,250 pcm": 1250, "850,50 €": 850.5,
	} {
		if p, ok := parsePrice(text, place{}); !ok || p.Amount != want {
			t.Errorf("%q: %+v, want %g", text, p, want)
		}
	}
	if p, _ := parsePrice("1.100 – 1.250 €", place{}); p.Amount != 1100 || p.AmountMax != 1250 {
		t.Errorf("a range: %+v", p)
	}
}
