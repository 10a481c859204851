package demo

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"testing"

	"go.uber.org/goleak"
)

func serve(t *testing.T, ctx context.Context) *Server {
	t.Helper()
	s, err := Serve(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// local asks the server under its own name, which only browsers resolve.
func local(s *Server) *http.Client {
	var d net.Dialer
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return d.DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", s.port))
		},
	}}
}

func TestServerAnswersUnderItsName(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := serve(t, t.Context())
	defer s.Close()
	res, err := local(s).Get(s.URL("demo:amsterdam"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("status %d", res.StatusCode)
	}
}

func TestSecondServerTakesAnotherPort(t *testing.T) {
	a, b := serve(t, t.Context()), serve(t, t.Context())
	defer a.Close()
	defer b.Close()
	if a.port == b.port {
		t.Errorf("both on %d", a.port)
	}
}

func TestServerEndsWithItsContext(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, ctx)
	cancel()
	<-s.done
	if conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.port)); err == nil {
		conn.Close()
		t.Error("the port is still open")
	}
}

func TestServerURL(t *testing.T) {
	s := &Server{port: 1234}
	for raw, path := range map[string]string{
		"demo:amsterdam":  "/amsterdam",
		"demo:Utrecht":    "/utrecht",
		"demo:Den Haag":   "/den-haag",
		"demo://delft/":   "/delft",
		"demo:":           "/amsterdam",
		"demo:a/b?c#d":    "/a/b?c#d",
		"demo:'s-Bosch <": "/'s-bosch-<",
	} {
		u, err := url.Parse(s.URL(raw))
		if err != nil || u.Host != "demo.localhost:1234" || u.Path != path || u.RawQuery != "sort=newest" {
			t.Errorf("%s: %v, %v", raw, u, err)
		}
	}
	if got := s.URL("https://example.com/rooms"); got != "https://example.com/rooms" {
		t.Errorf("another address became %s", got)
	}
}
