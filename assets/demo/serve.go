package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Port is asked for first, so that links in old emails stay good after a
// restart. It lies below the ports that systems hand out by themselves.
const Port = 27182

// Host is the portal's name. Browsers lead every name below localhost to this
// machine without asking anybody.
const Host = "demo.localhost"

// Server is a Portal that listens on this machine only.
type Server struct {
	http http.Server
	port int
	done chan struct{}
}

// Serve starts a fresh Portal on 127.0.0.1, at Port or, when that is taken, at a
// free one. It ends with ctx or with Close.
func Serve(ctx context.Context, log *slog.Logger) (*Server, error) {
	ln, err := listen(ctx)
	if err != nil {
		return nil, fmt.Errorf("demo portal: %w (disable the searches that begin with demo:)", err)
	}
	s := &Server{
		http: http.Server{Handler: New(Options{}), ReadHeaderTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)},
		port: ln.Addr().(*net.TCPAddr).Port,
		done: make(chan struct{}),
	}
	stop := context.AfterFunc(ctx, func() { _ = s.http.Close() }) // ends Serve below
	go func() {
		defer close(s.done)
		defer stop()
		if err := s.http.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			log.Error("The demo portal stopped: restart Notifio to have it back", "error", err)
		}
	}()
	log.Info("The demo portal is open", "url", s.URL("demo:amsterdam"))
	return s, nil
}

func listen(ctx context.Context) (net.Listener, error) {
	var lc net.ListenConfig
	if ln, err := lc.Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", Port)); err == nil {
		return ln, nil
	}
	return lc.Listen(ctx, "tcp", "127.0.0.1:0")
}

// URL is the address of a search: `demo:amsterdam` becomes
// `http://demo.localhost:PORT/amsterdam?sort=newest`. Any name is a city, none
// is Amsterdam, and what does not begin with `demo:` is handed back as it is.
func (s *Server) URL(raw string) string {
	name, ok := strings.CutPrefix(raw, "demo:")
	if !ok {
		return raw
	}
	city := slug(name)
	if city == "" {
		city = "amsterdam"
	}
	return fmt.Sprintf("http://%s:%d/%s?sort=newest", Host, s.port, url.PathEscape(city))
}

// Close ends the server with all its connections, and returns when it is gone.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.done
	return err
}
