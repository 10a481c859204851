package browser

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/screen"
	"notifio.app/notifio/monitor"
)

// club shows results to those who have its session's cookie, and a login form to
// others.
type club struct{ shown, logins atomic.Int32 }

func (c *club) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/login" && r.Method == http.MethodPost:
		c.logins.Add(1)
		http.SetCookie(w, &http.Cookie{Name: "member", Value: "yes", Path: "/"})
		http.Redirect(w, r, "/rooms", http.StatusSeeOther)
	case r.URL.Path == "/login":
		_, _ = w.Write([]byte(`<!doctype html><title>Club entrance</title><h1>Sign in to go on</h1>
<form method="post"><input name="email" autofocus><input name="password" type="password"><button>Sign in</button></form>`))
	case r.URL.Path == "/rooms":
		if _, err := r.Cookie("member"); err != nil {
			http.Redirect(w, r, "/login", http.StatusFound)
			return
		}
		c.shown.Add(1)
		_, _ = w.Write([]byte(resultsHTML(9)))
	default:
		http.NotFound(w, r)
	}
}

// The user signs in in the window and closes it: the session that goes on is the
// new one, though its cookie would have ended with the window.
func TestSignInWindowHandsItsSessionOver(t *testing.T) {
	s := screen.Start(t)
	t.Setenv("DISPLAY", s.Display())
	b := browserFor(t, nil)
	var c club
	url := serve(t, c.ServeHTTP)("a", "/rooms")
	verdict := func() monitor.Verdict {
		p, err := b.Check(t.Context(), searchAt(url))
		if err != nil {
			t.Fatal(err)
		}
		return p.Verdict
	}
	if v := verdict(); v != monitor.SignedOut {
		t.Fatalf("before: %s", v)
	}
	closed := make(chan error, 1)
	go func() { closed <- b.SignIn(t.Context(), url) }()
	w := s.Window("Club entrance")
	w.Click(600, 700)
	s.Press("Tab")
	s.Type("ana")
	s.Press("Return")
	w = s.Window("homes to rent")
	if c.logins.Load() != 1 {
		t.Errorf("%d logins", c.logins.Load())
	}
	w.Close()
	select {
	case err := <-closed:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("SignIn did not notice that its window was closed")
	}
	if v := verdict(); v != monitor.Results {
		t.Errorf("after: %s", v)
	}
}

// The end of its context closes the window, and the session goes on.
func TestSignInWindowEndsWithItsContext(t *testing.T) {
	s := screen.Start(t)
	t.Setenv("DISPLAY", s.Display())
	b := browserFor(t, nil)
	var c club
	at := serve(t, c.ServeHTTP)
	ctx, cancel := context.WithCancel(t.Context())
	closed := make(chan error, 1)
	go func() { closed <- b.SignIn(ctx, at("a", "/rooms")) }()
	s.Window("Club entrance")
	cancel()
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	mustCheck(t, b, at("a", "/rooms"))
}

func TestWithoutADisplaySignInSaysSo(t *testing.T) {
	t.Parallel()
	none := func(string) string { return "" }
	for _, c := range []struct {
		goos string
		env  func(string) string
		want string
	}{
		{"linux", none, "no display"},
		{"linux", func(v string) string { return map[string]string{"WAYLAND_DISPLAY": "wayland-0"}[v] }, ""},
		{"linux", func(v string) string { return map[string]string{"DISPLAY": ":0"}[v] }, ""},
		{"windows", none, ""},
		{"darwin", none, ""},
	} {
		err := windowPlace(c.goos, c.env)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.goos, err)
		}
	}
}
