// Package inbox is a mail server for tests: a real SMTP conversation, over TLS,
// on loopback or in memory, that records who connected, logged in and wrote what,
// and that fails in every way a real server does when it is told to.
//
// In fair weather github.com/emersion/go-smtp answers, so that what our own code
// says is judged by somebody else's. As soon as a Fault is set, new connections
// get a small scripted server, which can also be silent, hang up, trickle or lie.
// The package knows nothing of the packages that send mail.
package inbox

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"maps"
	"net"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// Options say what kind of server an Inbox is. The zero value offers STARTTLS and,
// after it, AUTH with PLAIN and LOGIN, and takes any login.
type Options struct {
	TLS        bool     // TLS from the first byte, as on port 465
	NoStartTLS bool     // plain for ever, as on port 25 of old
	ClearAuth  bool     // offer AUTH before TLS too
	NoAuth     bool     // never offer AUTH
	Mechanisms []string // nil: PLAIN and LOGIN
	// Username and Password are the only login that is taken; empty: any is.
	Username, Password string
	// MaxLine refuses messages with longer lines, in octets without the line's
	// end. 0 means the 998 of RFC 5321.
	MaxLine int
	// InMemory keeps away from the network, so that the whole conversation fits in
	// a synctest bubble; reach the server through Inbox.Dial.
	InMemory bool
}

// Inbox is a running mail server. All methods may be called at any time.
type Inbox struct {
	options Options
	cert    tls.Certificate
	server  *smtp.Server
	feed    *memoryListener // hands fair-weather connections to server

	mu       sync.Mutex
	listener net.Listener // nil while down
	address  string
	memory   *memoryListener // nil on loopback
	open     map[net.Conn]bool
	faults   map[Step]*Fault
	state    State
	changed  chan struct{} // closed and replaced at every change of state
	workers  sync.WaitGroup
	ending   chan struct{} // closed when the test ends
}

// Start starts a server that ends with the test.
func Start(t testing.TB, o Options) *Inbox {
	t.Helper()
	if o.Mechanisms == nil {
		o.Mechanisms = []string{"PLAIN", "LOGIN"}
	}
	if o.MaxLine == 0 {
		o.MaxLine = 998
	}
	i := &Inbox{
		options: o, cert: certificate(), feed: newMemoryListener(),
		open: map[net.Conn]bool{}, faults: map[Step]*Fault{}, changed: make(chan struct{}), ending: make(chan struct{}),
	}
	i.server = i.fairServer()
	i.workers.Go(func() { _ = i.server.Serve(i.feed) })
	if o.InMemory {
		i.address = "127.0.0.1:587"
		if o.TLS {
			i.address = "127.0.0.1:465"
		}
	} else {
		i.address = "127.0.0.1:0"
	}
	if err := i.listen(); err != nil {
		t.Fatalf("inbox: %v", err)
	}
	t.Cleanup(i.close)
	return i
}

// Host is the server's name, for which its certificate is valid.
func (i *Inbox) Host() string { return "127.0.0.1" }

// Port is the port; it stays the same over Down and Up.
func (i *Inbox) Port() int {
	_, port, _ := net.SplitHostPort(i.Addr())
	n, _ := strconv.Atoi(port)
	return n
}

// Addr is Host and Port together.
func (i *Inbox) Addr() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.address
}

// Roots is the pool to trust in order to believe the server's certificate.
func (i *Inbox) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(i.cert.Leaf)
	return pool
}

// Dial reaches the server wherever it is, whatever address is asked for.
func (i *Inbox) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	i.mu.Lock()
	memory, down, address := i.memory, i.listener == nil, i.address
	i.mu.Unlock()
	if !i.options.InMemory {
		return new(net.Dialer).DialContext(ctx, "tcp", address)
	}
	if down {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	return memory.dial()
}

// Down closes the port and every connection: the next attempt is refused.
func (i *Inbox) Down() {
	i.mu.Lock()
	if i.listener != nil {
		_ = i.listener.Close()
		i.listener = nil
	}
	open := slices.Collect(maps.Keys(i.open))
	i.mu.Unlock()
	for _, conn := range open {
		_ = conn.Close()
	}
}

// Up opens the same port again after Down.
func (i *Inbox) Up(t testing.TB) {
	t.Helper()
	if err := i.listen(); err != nil {
		t.Fatalf("inbox: opening %s again: %v", i.Addr(), err)
	}
}

func (i *Inbox) listen() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.listener != nil {
		return nil
	}
	if i.options.InMemory {
		i.memory = newMemoryListener()
		i.listener = i.memory
	} else {
		l, err := net.Listen("tcp", i.address)
		if err != nil {
			return err
		}
		i.listener, i.address = l, l.Addr().String()
	}
	l := i.listener
	i.workers.Go(func() { i.accept(l) })
	return nil
}

func (i *Inbox) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		i.welcome(conn)
	}
}

// welcome gives a connection to the server that the weather asks for.
func (i *Inbox) welcome(conn net.Conn) {
	i.mu.Lock()
	if i.listener == nil { // down since it was accepted
		i.mu.Unlock()
		_ = conn.Close()
		return
	}
	number := len(i.state.Connections)
	i.state.Connections = append(i.state.Connections, Connection{At: time.Now()})
	tapped := &tap{Conn: conn, inbox: i, number: number}
	i.open[tapped] = true
	foul := len(i.faults) > 0
	i.announce()
	i.mu.Unlock()
	if foul {
		i.workers.Go(func() { i.converse(tapped) })
		return
	}
	var served net.Conn = tapped
	if i.options.TLS {
		i.note(number, func(c *Connection) { c.TLS = true })
		served = tls.Server(tapped, i.tlsConfig())
	}
	i.feed.hand(served)
}

// linger waits, but not beyond the end of the test.
func (i *Inbox) linger(d time.Duration) {
	select {
	case <-time.After(d):
	case <-i.ending:
	}
}

func (i *Inbox) tlsConfig() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{i.cert}, MinVersion: tls.VersionTLS12}
}

func (i *Inbox) fairServer() *smtp.Server {
	s := smtp.NewServer(smtp.BackendFunc(i.session))
	s.Domain = "inbox.test"
	s.MaxLineLength = i.options.MaxLine + len("\r\n")
	s.AllowInsecureAuth = i.options.ClearAuth
	s.ErrorLog = log.New(io.Discard, "", 0) // a client that hangs up is no news
	if !i.options.NoStartTLS && !i.options.TLS {
		s.TLSConfig = i.tlsConfig()
	}
	return s
}

func (i *Inbox) close() {
	close(i.ending)
	i.Down()
	_ = i.server.Close()
	_ = i.feed.Close()
	i.workers.Wait()
}
