package portal_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"notifio.app/notifio/internal/fake/portal"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answer is what one plain request got.
type answer struct {
	status int
	header http.Header
	body   string
	url    string // after redirects
}

func get(t *testing.T, p *portal.Portal, url string) answer {
	t.Helper()
	a, err := try(t.Context(), p, url)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func try(ctx context.Context, p *portal.Portal, url string) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return answer{}, err
	}
	res, err := p.Client().Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, string(body), res.Request.URL.String()}, err
}

var room = regexp.MustCompile(`<article>(<em>Sponsored</em>)?<a href="/room/100(\d{3})">`)

// ids are the ordinary rooms on a page; promoted ones have a minus.
func (a answer) ids(t *testing.T) []int {
	t.Helper()
	var ids []int
	for _, m := range room.FindAllStringSubmatch(a.body, -1) {
		id, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		if m[1] != "" {
			id = -id
		}
		ids = append(ids, id)
	}
	return ids
}

func TestPageShowsWhatTheTestSays(t *testing.T) {
	p := portal.Start(t)
	s := p.Host("a").Search("/rooms")
	for _, step := range []struct {
		change func()
		ids    []int
		total  string
	}{
		{func() { s.Show(3, 2, 1) }, []int{3, 2, 1}, "3 rooms"},
		{func() { s.ShowRange(20, 1) }, portal.Range(20, 1), "20 rooms"},
		{func() { s.Total(160) }, portal.Range(20, 1), "160 rooms"},
		{func() { s.Promote(portal.Room{ID: 50}).Show(1) }, []int{-50, 1}, "160 rooms"},
		{func() { s.Promote().Total(0).Rooms(portal.Room{ID: 4, Title: "<b> & co", Price: 1350, Area: -1}) }, []int{4}, "1 rooms"},
	} {
		step.change()
		a := get(t, p, s.URL())
		if !slices.Equal(a.ids(t), step.ids) || !strings.Contains(a.body, "<h1>"+step.total+"</h1>") {
			t.Errorf("%v and %q are not on\n%s", step.ids, step.total, a.body)
		}
	}
	a := get(t, p, s.URL())
	for _, want := range []string{"&lt;b&gt; &amp; co", "€ 1350 per month", "Elm Street 4"} {
		if !strings.Contains(a.body, want) {
			t.Errorf("no %q in\n%s", want, a.body)
		}
	}
	if strings.Contains(a.body, "m²") {
		t.Errorf("an area of none is shown:\n%s", a.body)
	}
}

func TestAnswers(t *testing.T) {
	p := portal.Start(t)
	s := p.Host("a").Search("/rooms").Show(4, 3, 2, 1)
	for _, test := range []struct {
		answer portal.Answer
		status int
		ids    []int
		says   string
		path   string
	}{
		{portal.Page, 200, []int{4, 3, 2, 1}, "4 rooms", "/rooms"},
		{portal.Half(1), 200, []int{4}, "4 rooms", "/rooms"},
		{portal.Half(9), 200, []int{4, 3, 2, 1}, "4 rooms", "/rooms"},
		{portal.Lazy(2, time.Second), 200, []int{4, 3}, "Home 1", "/rooms"},
		{portal.Slow(time.Millisecond), 200, []int{4, 3, 2, 1}, "4 rooms", "/rooms"},
		{portal.Spin, 200, []int{4, 3, 2, 1}, "for (;;)", "/rooms"},
		{portal.Empty, 200, nil, "No results were found", "/rooms"},
		{portal.Bare, 200, nil, "Rooms", "/rooms"},
		{portal.Robot, 200, nil, "verify you are human", "/rooms"},
		{portal.RobotForbidden, 403, nil, "verify you are human", "/rooms"},
		{portal.Refused(""), 429, nil, "Too many requests", "/rooms"},
		{portal.Status(500), 500, nil, "Internal Server Error", "/rooms"},
		{portal.LoginRedirect, 200, nil, `type="password"`, "/login"},
		{portal.LoginForm, 200, nil, `type="password"`, "/rooms"},
		{portal.Home, 200, nil, "Find your home", "/"},
		{portal.Elsewhere, 200, nil, "letter to our visitors", "/rooms"},
	} {
		t.Run(test.answer.Name(), func(t *testing.T) {
			s.Next(test.answer)
			a := get(t, p, s.URL())
			if a.status != test.status || !slices.Equal(a.ids(t), test.ids) || !strings.Contains(a.body, test.says) {
				t.Errorf("status %d, rooms %v in\n%s", a.status, a.ids(t), a.body)
			}
			if want := strings.Replace(s.URL(), "/rooms", test.path, 1); strings.Split(a.url, "?")[0] != want {
				t.Errorf("ended at %s, want %s", a.url, want)
			}
			all := p.Requests("a")
			if last := all[len(all)-1]; last.Served != test.answer.Name() || last.Path != "/rooms" {
				t.Errorf("recorded as %v", last)
			}
		})
	}
}

func TestRetryAfterIsSentAsWritten(t *testing.T) {
	p := portal.Start(t)
	s := p.Host("a").Search("/rooms").Answer(portal.Refused("3600"))
	if got := get(t, p, s.URL()).header.Get("Retry-After"); got != "3600" {
		t.Errorf("Retry-After %q", got)
	}
}

func TestNextIsForOneRequestEach(t *testing.T) {
	p := portal.Start(t)
	s := p.Host("a").Search("/rooms").Show(1).Next(portal.Status(500), portal.Empty)
	for _, want := range []int{500, 200, 200} {
		if got := get(t, p, s.URL()).status; got != want {
			t.Errorf("status %d, want %d", got, want)
		}
	}
	served := []string{"Internal Server Error", "empty", "page"}
	for i, r := range p.Requests("a") {
		if r.Served != served[i] {
			t.Errorf("request %d served %s, want %s", i, r.Served, served[i])
		}
	}
}

func TestHostAnswersForAllItsSearches(t *testing.T) {
	p := portal.Start(t)
	one, two := p.Host("a").Search("/one").Show(1), p.Host("a").Search("/two").Show(2)
	other := p.Host("b").Search("/one").Show(3)
	p.Host("a").Answer(portal.Refused("60"))
	for url, want := range map[string]int{one.URL(): 429, two.URL(): 429, other.URL(): 200} {
		if got := get(t, p, url).status; got != want {
			t.Errorf("%s: status %d, want %d", url, got, want)
		}
	}
	p.Host("a").Recover()
	if a := get(t, p, two.URL()); !slices.Equal(a.ids(t), []int{2}) {
		t.Errorf("after recovery:\n%s", a.body)
	}
	if a, b := len(p.Requests("a")), len(p.Requests("b")); a != 3 || b != 1 {
		t.Errorf("%d and %d requests recorded, want 3 and 1", a, b)
	}
}

func TestFurnitureIsNoCheck(t *testing.T) {
	p := portal.Start(t)
	s := p.Host("a").Search("/rooms").Show(1)
	base := strings.TrimSuffix(s.URL(), "/rooms")
	for path, want := range map[string]int{"/": 200, "/favicon.ico": 404, "/login": 200, "/photo/1.gif": 200, "/nowhere": 404} {
		if got := get(t, p, base+path).status; got != want {
			t.Errorf("%s: status %d, want %d", path, got, want)
		}
	}
	if got := get(t, p, s.Link(1)); got.status != 200 {
		t.Errorf("a room's own page: status %d", got.status)
	}
	if all := p.All(); len(all) != 0 {
		t.Errorf("recorded: %v", all)
	}
}

// TestHangLastsUntilTheVisitorLeaves also proves, through TestMain, that nobody
// is left hanging when the test ends.
func TestHangLastsUntilTheVisitorLeaves(t *testing.T) {
	for _, a := range []portal.Answer{portal.Hang, portal.HangHalfway, portal.Slow(time.Hour), portal.NewGate().Answer} {
		t.Run(a.Name(), func(t *testing.T) {
			p := portal.Start(t)
			s := p.Host("a").Search("/rooms").Show(1).Answer(a)
			ctx, leave := context.WithCancel(t.Context())
			gone := make(chan error)
			go func() {
				_, err := try(ctx, p, s.URL())
				gone <- err
			}()
			p.AwaitRequests(t.Context(), "a", 1)
			leave()
			if err := <-gone; !errors.Is(err, context.Canceled) {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

func TestEndOfTestLetsGoWhoeverHangs(t *testing.T) {
	ended := make(chan error, 1)
	t.Run("hanging", func(t *testing.T) {
		p := portal.Start(t)
		s := p.Host("a").Search("/rooms").Answer(portal.Hang)
		go func() {
			_, err := try(context.Background(), p, s.URL())
			ended <- err
		}()
		p.AwaitRequests(t.Context(), "a", 1)
	})
	if err := <-ended; err == nil {
		t.Error("the visitor got an answer")
	}
}

func TestGateHoldsUntilItOpens(t *testing.T) {
	p := portal.Start(t)
	gate := portal.NewGateTo(portal.Half(1))
	s := p.Host("a").Search("/rooms").Show(2, 1).Answer(gate.Answer)
	got := make(chan answer, 1)
	go func() {
		a, err := try(t.Context(), p, s.URL())
		if err != nil {
			t.Error(err)
		}
		got <- a
	}()
	p.AwaitRequests(t.Context(), "a", 1)
	select {
	case a := <-got:
		t.Fatalf("through a closed gate:\n%s", a.body)
	default:
	}
	gate.Open()
	gate.Open()
	if a := <-got; !slices.Equal(a.ids(t), []int{2}) {
		t.Errorf("behind the gate:\n%s", a.body)
	}
}

func TestRequestsHaveTheirTime(t *testing.T) {
	p := portal.Start(t)
	s := p.Host("a").Search("/rooms").Show(1)
	before := time.Now()
	get(t, p, s.URL()+"?sort=newest")
	r := p.AwaitRequests(t.Context(), "a", 1)[0]
	if r.At.Before(before) || r.At.After(time.Now()) || r.Query != "sort=newest" || r.Host != "a" {
		t.Errorf("recorded %+v", r)
	}
}

func TestPassingRoomsAreOnOnePage(t *testing.T) {
	p := portal.Start(t)
	rooms := p.Host("a").Search("/rooms").Show(2, 1)
	rooms.Pass(9).Next(portal.Refused(""))
	changed := p.Changed()
	var got [][]int
	for range 3 {
		got = append(got, get(t, p, rooms.URL()).ids(t))
	}
	want := [][]int{nil, {9, 2, 1}, {2, 1}} // a refusal shows nobody anything
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("the pages show %v, want %v", got, want)
	}
	for i, r := range p.All() {
		if !slices.Equal(r.Shown, want[i]) {
			t.Errorf("request %d is said to have shown %v, want %v", i, r.Shown, want[i])
		}
	}
	select {
	case <-changed:
	default:
		t.Error("requests came, and nobody was told")
	}
}
