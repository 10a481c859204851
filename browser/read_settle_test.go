package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// cardScript adds cards to the list of a page that is built by scripts.
const cardScript = `<h1>Rooms</h1><div id="list"></div><script>
const list = document.getElementById('list');
const add = (from, to) => {
  for (let i = from; i <= to; i++) {
    list.insertAdjacentHTML('beforeend', '<article><h2><a href="/room/' + (4000 + i) + '">Room ' + i + ' by the lake</a></h2><p>£' + (500 + i) + ' pcm</p></article>');
  }
};
`

func TestSettlesOnTheListingCount(t *testing.T) {
	t.Parallel()
	c := started(t, true)
	r := testReader(t)
	tests := []struct {
		name, script string
		scroll       bool
		settleMS     int
		quietMS      int
		want         int
		settled      bool
		atMost       float64 // milliseconds of waiting
	}{
		{name: "all at once", script: `add(1, 20);`, want: 20, settled: true},
		{name: "a second burst", script: `add(1, 4); setTimeout(() => add(5, 20), 1500);`, want: 20, settled: true},
		{name: "scripts with amounts in them, again and again", want: 20, settled: true, atMost: 8000, script: `add(1, 20);
			setInterval(() => { document.body.appendChild(document.createElement('script')).textContent = '// €'; }, 100);`},
		{name: "in a box of its own", scroll: true, want: 40, settled: true, script: `list.style = 'height: 600px; overflow-y: auto'; add(1, 10);
			list.insertAdjacentHTML('beforeend', '<div style="height: 5000px"></div>'); let page = 0;
			list.addEventListener('scroll', () => { const due = Math.min(3, Math.floor(list.scrollTop / 900)); while (page < due) { page++; add(page * 10 + 1, page * 10 + 10); } });`},
		{name: "a list that shows a part of itself", scroll: true, want: 40, settled: true, script: `list.style = 'height: 600px; overflow-y: auto';
			const draw = () => { const from = Math.floor(list.scrollTop / 100); list.replaceChildren();
				const space = (n) => { const e = list.appendChild(document.createElement('div')); e.style.height = n * 100 + 'px'; };
				space(from); const last = Math.min(40, from + 10); add(from + 1, last);
				for (const e of list.querySelectorAll('article')) e.style.cssText = 'height: 100px; margin: 0; overflow: hidden'; space(40 - last); };
			draw(); list.addEventListener('scroll', draw);`},
		{name: "one by one", script: `let n = 0; const timer = setInterval(() => { add(++n, n); if (n === 12) clearInterval(timer); }, 200);`, want: 12, settled: true},
		{name: "late, after nothing", script: `setTimeout(() => add(1, 10), 1800);`, want: 10, settled: true},
		{name: "placeholders", want: 15, settled: true, script: `list.innerHTML = '<div class="card-skeleton"></div>'.repeat(15);
			setTimeout(() => { list.innerHTML = ''; add(1, 15); }, 3000);`},
		{name: "placeholders that nobody sees", want: 20, settled: true, quietMS: 1500, atMost: 5 * 1500,
			script: `add(1, 20); document.body.insertAdjacentHTML('beforeend', '<div style="display:none"><div class="skeleton" aria-busy="true"></div></div>');`},
		{name: "on scroll", scroll: true, want: 40, settled: true, script: `document.body.style.minHeight = '6000px'; add(1, 10); let page = 0;
			addEventListener('scroll', () => { const due = Math.min(3, Math.floor(scrollY / 900)); while (page < due) { page++; add(page * 10 + 1, page * 10 + 10); } });`},
		{name: "a clock beside it", script: `add(1, 20); const clock = document.body.appendChild(document.createElement('p'));
			setInterval(() => { clock.textContent = 'It is ' + new Date().toISOString(); }, 30);`, want: 20, settled: true},
		{name: "never", settleMS: 2000, want: -1, script: `let n = 0; setInterval(() => { n++; add(n, n); }, 150);`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := monitor.Search{Name: "s", URL: "https://rooms.example/search?q=" + strings.ReplaceAll(tt.name, " ", "-")}
			options := r.options(s, s.URL)
			options["scroll"] = tt.scroll
			if tt.settleMS > 0 {
				options["settle_ms"] = tt.settleMS
			}
			document := "<!doctype html><title>Rooms</title><body>" + cardScript + tt.script + "</script>"
			if tt.quietMS > 0 {
				options["quiet_ms"] = tt.quietMS
			}
			raw, _, err := c.look(s.URL, []byte(document), options)
			if err != nil {
				t.Fatal(err)
			}
			p := r.read(loaded{Search: s, URL: s.URL, FinalURL: s.URL, Status: 200, Raw: raw, At: time.Now()})
			if got := len(p.Listings); got != tt.want && tt.want >= 0 {
				t.Errorf("%d listings, want %d (%s)", got, tt.want, p.Reason)
			}
			if tt.want < 0 && len(p.Listings) == 0 {
				t.Errorf("nothing was read: %s", p.Reason)
			}
			snap, err := decodeSnapshot(raw)
			if err != nil {
				t.Fatal(err)
			}
			if snap.Settled != tt.settled {
				t.Errorf("settled %v after %v ms", snap.Settled, snap.WaitedMS)
			}
			if unsettled := strings.Contains(p.Reason, "before it had settled"); unsettled == tt.settled {
				t.Errorf("reason %q", p.Reason)
			}
			if tt.atMost > 0 && snap.WaitedMS >= tt.atMost {
				t.Errorf("waited %v ms", snap.WaitedMS)
			}
		})
	}
}

// With scripts on, the picture inside a <noscript> is text and not an element,
// and what a script puts into a shadow tree is seen all the same.
func TestScriptsDoNotHideWhatIsShown(t *testing.T) {
	t.Parallel()
	c, r := started(t, true), testReader(t)
	document := "<!doctype html><body>" + cardScript + `add(1, 3);
		for (const card of document.querySelectorAll('article')) card.insertAdjacentHTML('afterbegin', '<noscript><img src="/n/' + card.textContent.length + '.jpg"></noscript>');
		const host = document.body.appendChild(document.createElement('div'));
		host.attachShadow({ mode: 'open' }).innerHTML = '<article><h2><a href="/room/9001">In the shadow</a></h2><p>£900 pcm</p></article>';
		</script><article><h2><a href="/room/9002">Written down</a></h2><p>£700 pcm</p><noscript><img srcset="/s-320.jpg 320w, /s-960.jpg 960w"></noscript></article>`
	s := monitor.Search{URL: "https://rooms.example/search"}
	options := r.options(s, s.URL)
	raw, _, err := c.look(s.URL, []byte(document), options)
	if err != nil {
		t.Fatal(err)
	}
	p := r.read(loaded{Search: s, URL: s.URL, FinalURL: s.URL, Status: 200, Raw: raw, At: time.Now()})
	photos := map[string]string{}
	for _, l := range p.Listings {
		photos[l.Title] = l.Photo
	}
	if _, found := photos["In the shadow"]; !found || len(photos) != 5 {
		t.Errorf("listings %v (%s)", photos, p.Reason)
	}
	if photos["Written down"] != "https://rooms.example/s-960.jpg" {
		t.Errorf("photos %v", photos)
	}
}

// An answer that is not from the script must not lose the program.
func TestReadSurvivesAnyAnswer(t *testing.T) {
	r := testReader(t)
	for _, raw := range []string{
		``, `null`, `""`, `"{"`, `{}`, `[]`, `7`, `{"nodes":[{"p":5}]}`, `{"nodes":[{"p":0,"t":"a"}]}`, `{"nodes":[{"p":-7}]}`,
		`"{\"nodes\":[{\"p\":-1,\"t\":\"body\"},{\"p\":0,\"t\":\"a\",\"h\":\"http://[::1\"}]}"`, `{"nodes":[null]}`, `{"title":5}`,
		`{"nodes":[{"p":-1,"t":"a","h":"https://rooms.example/1"},{"p":-1,"t":"a","h":"https://rooms.example/2"}]}`,
	} {
		p := r.read(loaded{URL: "https://rooms.example/s", FinalURL: "https://rooms.example/s", Status: 200, Raw: json.RawMessage(raw)})
		if p.Verdict != monitor.NotResults || p.Reason == "" {
			t.Errorf("%s: %s, %q", raw, p.Verdict, p.Reason)
		}
	}
}

// An answer that would take a core and all memory to decode is refused before.
func TestAnswersHaveBounds(t *testing.T) {
	nested := `{"p":-1,"t":"b"}`
	for i := range deepestNode + 1 {
		nested += fmt.Sprintf(`,{"p":%d,"t":"b"}`, i)
	}
	for name, raw := range map[string]string{
		"too many nodes": `{"nodes":[` + strings.Repeat(`{"p":-1},`, 5*maxNodes) + `{"p":-1}]}`,
		"too deep JSON":  `{"x":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + `}`,
		"too deep nodes": `{"nodes":[` + nested + `]}`,
		"too long":       `{"title":"` + strings.Repeat("x", mostAnswer) + `"}`,
	} {
		if _, err := decodeSnapshot(json.RawMessage(raw)); !errors.Is(err, errTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A link whose host is longer than any can be leads nowhere.
func TestAHostLongerThanAnyIsNoLink(t *testing.T) {
	long := strings.Repeat("ü", 100000) + ".example"
	if u := webLink("https://" + long + "/room/771"); u != nil {
		t.Errorf("a host of %d bytes is a link", len(long))
	}
	if webLink("https://rooms.example/room/771") == nil {
		t.Error("an ordinary link is none")
	}
}
