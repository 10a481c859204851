package inbox

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"
)

// State is all that has happened so far.
type State struct {
	Connections []Connection
	Messages    []Message // those that arrived, in order
}

// Logins counts the logins over all connections, refused ones included.
func (s State) Logins() int {
	n := 0
	for _, c := range s.Connections {
		n += len(c.Logins)
	}
	return n
}

// Connection is one connection and what the client did with it.
type Connection struct {
	At     time.Time
	TLS    bool // at its end
	Hello  string
	Logins []Login
	// Wire is every octet that the client sent, as it went over the wire: in
	// clear text before TLS, encrypted after it.
	Wire []byte
}

// Login is one attempt to log in.
type Login struct {
	Mechanism, Username, Password string
	TLS                           bool
	Taken                         bool
}

// Message is one message that arrived: after the dot that ends it, even when a
// Fault then kept the answer back.
type Message struct {
	At    time.Time
	From  string
	To    []string
	Login string // the user name; "" without a login
	TLS   bool
	Raw   []byte
}

// Header reads the header. A message that cannot be read has an empty one.
func (m Message) Header() mail.Header {
	parsed, err := mail.ReadMessage(bytes.NewReader(m.Raw))
	if err != nil {
		return mail.Header{}
	}
	return parsed.Header
}

// ID is the Message-ID without its angle brackets.
func (m Message) ID() string { return strings.Trim(m.Header().Get("Message-Id"), "<>") }

// Subject is the subject, decoded.
func (m Message) Subject() string {
	raw := m.Header().Get("Subject")
	if subject, err := new(mime.WordDecoder).DecodeHeader(raw); err == nil {
		return subject
	}
	return raw
}

// Text is the text/plain part, decoded; "" when there is none.
func (m Message) Text() string { return m.part("text/plain") }

// HTML is the text/html part, decoded; "" when there is none.
func (m Message) HTML() string { return m.part("text/html") }

func (m Message) part(want string) string {
	parsed, err := mail.ReadMessage(bytes.NewReader(m.Raw))
	if err != nil {
		return ""
	}
	kind, params, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	if kind == want {
		body, _ := io.ReadAll(quotedprintable.NewReader(parsed.Body))
		return string(body)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		return ""
	}
	for parts := multipart.NewReader(parsed.Body, params["boundary"]); ; {
		part, err := parts.NextPart() // decodes quoted-printable
		if err != nil {
			return ""
		}
		if kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type")); kind == want {
			body, _ := io.ReadAll(part)
			return string(body)
		}
	}
}

// State is a copy of what has happened so far.
func (i *Inbox) State() State {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.snapshot()
}

func (i *Inbox) snapshot() State {
	s := State{Connections: slices.Clone(i.state.Connections), Messages: slices.Clone(i.state.Messages)}
	for n, c := range s.Connections {
		s.Connections[n].Logins, s.Connections[n].Wire = slices.Clone(c.Logins), slices.Clone(c.Wire)
	}
	return s
}

// Messages are the messages that arrived so far.
func (i *Inbox) Messages() []Message { return i.State().Messages }

// Changed is closed at the next thing that happens.
func (i *Inbox) Changed() <-chan struct{} {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.changed
}

// Until waits for a state that satisfies done and returns it, or the last one
// with the error of ctx.
func (i *Inbox) Until(ctx context.Context, done func(State) bool) (State, error) {
	for {
		i.mu.Lock()
		s, changed := i.snapshot(), i.changed
		i.mu.Unlock()
		if done(s) {
			return s, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return s, ctx.Err()
		}
	}
}

// Wait waits until at least n messages have arrived and returns all of them.
func (i *Inbox) Wait(ctx context.Context, n int) ([]Message, error) {
	s, err := i.Until(ctx, func(s State) bool { return len(s.Messages) >= n })
	if err != nil {
		return s.Messages, fmt.Errorf("inbox: %d of %d messages arrived: %w", len(s.Messages), n, err)
	}
	return s.Messages, nil
}

// MustWait is Wait for tests that cannot go on without: it gives up after limit.
func (i *Inbox) MustWait(t testing.TB, n int, limit time.Duration) []Message {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	messages, err := i.Wait(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// announce wakes everybody who waits for a change; i.mu is held.
func (i *Inbox) announce() {
	close(i.changed)
	i.changed = make(chan struct{})
}

// note writes something down about a connection.
func (i *Inbox) note(number int, write func(*Connection)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	write(&i.state.Connections[number])
	i.announce()
}

// keep writes a message down as arrived.
func (i *Inbox) keep(m Message) {
	m.At = time.Now()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.state.Messages = append(i.state.Messages, m)
	i.announce()
}

// login judges a login and writes it down.
func (i *Inbox) login(number int, l Login) bool {
	o := i.options
	l.Taken = o.Username == "" && o.Password == "" || o.Username == l.Username && o.Password == l.Password
	i.note(number, func(c *Connection) { c.Logins = append(c.Logins, l) })
	return l.Taken
}

// tap copies down what the client sends, beneath any TLS.
type tap struct {
	net.Conn
	inbox  *Inbox
	number int
}

func (t *tap) Read(p []byte) (int, error) {
	n, err := t.Conn.Read(p)
	if n > 0 {
		t.inbox.note(t.number, func(c *Connection) { c.Wire = append(c.Wire, p[:n]...) })
	}
	return n, err
}

func (t *tap) Close() error {
	t.inbox.mu.Lock()
	delete(t.inbox.open, t)
	t.inbox.mu.Unlock()
	return t.Conn.Close()
}
