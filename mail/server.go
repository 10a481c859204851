package mail

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// The ways to encrypt. TLSAuto is TLSImplicit on port 465 and TLSStart elsewhere.
// TLSNone is for a server on this very machine only.
const (
	TLSAuto     = "auto"
	TLSImplicit = "tls"
	TLSStart    = "starttls"
	TLSNone     = "none"
)

// The usual limits. A server that reads a whole message before it answers, for a
// virus or a spam check, may take its time: RFC 5321 (4.5.3.2.6) wants ten minutes
// of patience there, because whoever gives up too early sends the message twice.
const (
	stepLimit   = 30 * time.Second
	answerLimit = 2 * time.Minute
)

// Config is the account to send from.
type Config struct {
	Host string // a name or an address, without port
	Port int
	TLS  string // one of the TLS constants; "" is TLSAuto

	// Username "" sends without a login.
	Username string
	// Password is asked once per attempt, before connecting. It must be set when
	// there is a Username. See Passwords.
	Password func(ctx context.Context) (string, error)
	// Refused, when set, hears that the server has refused the login, so that a
	// remembered password can be forgotten.
	Refused func()

	From string // an address, or `Name <address>`

	// Step limits every step of the conversation, and Answer the wait for the
	// answer to the whole message; 0 means 30 s and 2 min.
	Step, Answer time.Duration
	// Roots are the certificate authorities to trust; nil: the system's.
	Roots *x509.CertPool
	// Dial connects; nil: over TCP. Now tells the time for the Date; nil: time.Now.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	Now  func() time.Time
}

// Server is the courier that speaks SMTP.
type Server struct {
	config Config
	from   sender
}

// NewServer checks the account and fills in what is usual. It does not connect.
func NewServer(c Config) (*Server, error) {
	if c.TLS == "" {
		c.TLS = TLSAuto
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	from, err := parseSender(c.From)
	if err != nil {
		return nil, fmt.Errorf("mail from: %w", err)
	}
	if c.TLS == TLSAuto {
		c.TLS = TLSStart
		if c.Port == 465 {
			c.TLS = TLSImplicit
		}
	}
	if c.Step == 0 {
		c.Step = stepLimit
	}
	if c.Answer == 0 {
		c.Answer = answerLimit
	}
	if c.Dial == nil {
		c.Dial = new(net.Dialer).DialContext
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Server{config: c, from: from}, nil
}

func (c Config) check() error {
	switch {
	case c.Host == "" || strings.ContainsFunc(c.Host, unfit):
		return fmt.Errorf("mail host %q: write the name of the server, as in smtp.example.com", c.Host)
	case c.Port < 1 || c.Port > 65535:
		return fmt.Errorf("mail port %d: use 587 or 465", c.Port)
	case c.TLS != TLSAuto && c.TLS != TLSImplicit && c.TLS != TLSStart && c.TLS != TLSNone:
		return fmt.Errorf("mail tls %q: use %q, %q, %q or, to this machine, %q", c.TLS, TLSAuto, TLSImplicit, TLSStart, TLSNone)
	case c.TLS == TLSNone && !loopback(c.Host):
		return fmt.Errorf("mail tls %q: only to this machine, and %s is another: use %q", TLSNone, c.Host, TLSAuto)
	case c.Username != "" && c.Password == nil:
		return errors.New("mail username without a password: run notifio password")
	}
	return nil
}

// unfit says whether r may not stand in a host name.
func unfit(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("/@<>\"\\", r) }

// loopback says whether host is this machine by its very name.
func loopback(host string) bool {
	if host = strings.ToLower(host); host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func (c Config) address() string { return net.JoinHostPort(c.Host, strconv.Itoa(c.Port)) }

// Deliver composes the letter and leads one conversation, with one login at most.
// It returns within the limits of its steps, and at once when ctx ends. Every
// error is a *monitor.DeliveryError.
func (s *Server) Deliver(ctx context.Context, l monitor.Letter, seal func(raw []byte) error) error {
	raw := l.Raw
	if len(raw) == 0 {
		var err error
		if raw, err = compose(l, s.from, s.config.Now()); err != nil {
			return unwritten(err)
		}
	}
	return s.send(ctx, l.To, raw, seal)
}

// send takes raw to one recipient.
func (s *Server) send(ctx context.Context, to string, raw []byte, seal func([]byte) error) error {
	recipient, err := parseSender(to)
	if err != nil {
		return noRecipient(err)
	}
	password, err := s.password(ctx)
	if err != nil {
		return err
	}
	c, err := open(ctx, s.config, password)
	if err != nil {
		return err
	}
	defer c.close()
	for _, step := range []func() error{c.greet, c.hello, c.encrypt, c.login} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := c.envelope(s.from.address, recipient.address, len(raw)); err != nil {
		return err
	}
	return c.data(raw, seal)
}

func (s *Server) password(ctx context.Context) (string, error) {
	if s.config.Username == "" {
		return "", nil
	}
	password, err := s.config.Password(ctx)
	switch {
	case errors.Is(err, ErrNoPassword):
		return "", refuse(monitor.AccountRefused, "", err)
	case err != nil: // a locked keyring opens, sooner or later
		return "", refuse(monitor.Temporary, "", err)
	}
	return appPassword(s.config.Host, password), nil
}

// unwritten is the error of a letter that could not be composed.
func unwritten(err error) error {
	var failure *monitor.DeliveryError
	if errors.As(err, &failure) {
		return failure
	}
	return refuse(monitor.MessageRefused, "", err)
}

// noRecipient is the error of an address that is none.
func noRecipient(err error) error {
	failure := refuse(monitor.AccountRefused, "mend `to` in the configuration", fmt.Errorf("recipient: %w", err))
	failure.Recipient = true
	return failure
}

func refuse(r monitor.Refusal, hint string, err error) *monitor.DeliveryError {
	return &monitor.DeliveryError{Refusal: r, Err: err, Hint: hint}
}
