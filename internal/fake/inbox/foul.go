package inbox

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/textproto"
	"strings"
	"time"
)

// errHungUp ends a conversation that the server has closed on purpose.
var errHungUp = errors.New("inbox: hung up")

// conversation is one connection that the scripted server leads.
type conversation struct {
	inbox  *Inbox
	number int
	conn   net.Conn
	in     *bufio.Reader
	secure bool
	user   string
	from   string
	to     []string
}

// converse leads a conversation to its end, which is an error of no interest.
func (i *Inbox) converse(conn *tap) {
	c := &conversation{inbox: i, number: conn.number, conn: conn, in: bufio.NewReader(conn)}
	defer func() { _ = c.conn.Close() }()
	if i.options.TLS {
		if c.handshake() != nil {
			return
		}
	}
	if c.answer(AtGreeting, "", "220 inbox.test ESMTP") != nil {
		return
	}
	for {
		line, err := c.line()
		if err != nil || c.handle(line) != nil {
			return
		}
	}
}

func (c *conversation) line() (string, error) {
	line, err := c.in.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

func (c *conversation) handle(line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	switch strings.ToUpper(verb) {
	case "EHLO", "HELO":
		c.inbox.note(c.number, func(r *Connection) { r.Hello = rest })
		return c.answer(AtHello, line, c.hello(strings.EqualFold(verb, "EHLO")))
	case "STARTTLS":
		if err := c.answer(AtStartTLS, line, "220 2.0.0 go on"); err != nil {
			return err
		}
		return c.handshake()
	case "AUTH":
		return c.auth(line, rest)
	case "MAIL":
		c.from, c.to = address(rest), nil
		return c.answer(AtMail, line, "250 2.1.0 ok")
	case "RCPT":
		c.to = append(c.to, address(rest))
		return c.answer(AtRecipient, line, "250 2.1.5 ok")
	case "DATA":
		return c.data(line)
	case "QUIT":
		if err := c.answer(AtQuit, line, "221 2.0.0 bye"); err != nil {
			return err
		}
		return errHungUp
	case "RSET", "NOOP":
		return c.write("250 2.0.0 ok", 0)
	}
	return c.write("500 5.5.2 unknown command", 0)
}

func (c *conversation) hello(extended bool) string {
	o := c.inbox.options
	if !extended {
		return "250 inbox.test"
	}
	lines := []string{"250-inbox.test", "250-8BITMIME", "250-SMTPUTF8", "250-ENHANCEDSTATUSCODES"}
	if !c.secure && !o.NoStartTLS {
		lines = append(lines, "250-STARTTLS")
	}
	if !o.NoAuth && (c.secure || o.ClearAuth) {
		lines = append(lines, "250-AUTH "+strings.Join(o.Mechanisms, " "))
	}
	return strings.Join(append(lines, "250 SIZE 10485760"), "\n")
}

// handshake turns to TLS.
func (c *conversation) handshake() error {
	if f, ok := c.inbox.fault(AtHandshake, ""); ok {
		if done, err := c.misbehave(f); done {
			return err
		}
	}
	secure := tls.Server(c.conn, c.inbox.tlsConfig())
	if err := secure.Handshake(); err != nil {
		return err
	}
	c.conn, c.in, c.secure = secure, bufio.NewReader(secure), true
	c.inbox.note(c.number, func(r *Connection) { r.TLS = true })
	return nil
}

// auth leads a login to its end; only its last answer can be at fault.
func (c *conversation) auth(line, rest string) error {
	mechanism, initial, _ := strings.Cut(rest, " ")
	login := Login{Mechanism: strings.ToUpper(mechanism), TLS: c.secure}
	var err error
	if login.Mechanism == "PLAIN" {
		var parts [][]byte
		if initial == "" {
			initial, err = c.ask("")
		}
		decoded, _ := base64.StdEncoding.DecodeString(initial)
		if parts = bytes.Split(decoded, []byte{0}); len(parts) == 3 {
			login.Username, login.Password = string(parts[1]), string(parts[2])
		}
	} else {
		login.Username, err = c.ask("Username:")
		if err == nil {
			login.Password, err = c.ask("Password:")
		}
		login.Username, login.Password = unbase64(login.Username), unbase64(login.Password)
	}
	if err != nil {
		return err
	}
	usual := "535 5.7.8 Authentication failed"
	if c.inbox.login(c.number, login) {
		c.user, usual = login.Username, "235 2.7.0 welcome"
	}
	return c.answer(AtAuth, line, usual)
}

func (c *conversation) ask(challenge string) (string, error) {
	if err := c.write("334 "+base64.StdEncoding.EncodeToString([]byte(challenge)), 0); err != nil {
		return "", err
	}
	return c.line()
}

func unbase64(s string) string {
	decoded, _ := base64.StdEncoding.DecodeString(s)
	return string(decoded)
}

// data takes a message. A refused DATA is not followed by one.
func (c *conversation) data(line string) error {
	if f, ok := c.inbox.fault(AtData, line); ok {
		if done, err := c.misbehave(f); done {
			return err
		}
	}
	if err := c.write("354 go on", 0); err != nil {
		return err
	}
	if f, ok := c.inbox.fault(AtMessage, ""); ok {
		if _, err := c.line(); err != nil {
			return err
		}
		if done, err := c.misbehave(f); done {
			return err
		}
	}
	raw, err := io.ReadAll(textproto.NewReader(c.in).DotReader())
	if err != nil {
		return err
	}
	m := Message{From: c.from, To: c.to, Login: c.user, TLS: c.secure, Raw: raw}
	f, faulty := c.inbox.fault(AtEnd, line)
	long := c.tooLong(raw)
	if f.Keep || !long && (!faulty || f.Reply == "" && !f.Silent && !f.Hangup || strings.HasPrefix(f.Reply, "2")) {
		c.inbox.keep(m)
	}
	if faulty {
		if done, err := c.misbehave(f); done {
			return err
		}
	}
	if long {
		return c.write("500 5.5.2 line too long", 0)
	}
	return c.write("250 2.0.0 taken", f.Trickle)
}

func (c *conversation) tooLong(raw []byte) bool {
	for line := range bytes.Lines(raw) {
		if len(bytes.TrimRight(line, "\r\n")) > c.inbox.options.MaxLine {
			return true
		}
	}
	return false
}

// answer gives the usual answer, or what the fault of this step says.
func (c *conversation) answer(at Step, line, usual string) error {
	f, ok := c.inbox.fault(at, line)
	if ok {
		if done, err := c.misbehave(f); done {
			return err
		}
	}
	return c.write(usual, f.Trickle)
}

// misbehave does what a fault says and whether that was the whole answer.
func (c *conversation) misbehave(f Fault) (done bool, err error) {
	if f.Met != nil {
		f.Met()
	}
	if f.Delay > 0 {
		c.inbox.linger(f.Delay)
	}
	if f.Silent {
		_, _ = io.Copy(io.Discard, c.in)
		return true, errHungUp
	}
	if f.Reply != "" {
		err = c.write(f.Reply, f.Trickle)
	}
	if f.Hangup {
		return true, errHungUp
	}
	return f.Reply != "", err
}

func (c *conversation) write(lines string, trickle time.Duration) error {
	out := []byte(strings.ReplaceAll(lines, "\n", "\r\n") + "\r\n")
	if trickle == 0 {
		_, err := c.conn.Write(out)
		return err
	}
	for _, octet := range out {
		if _, err := c.conn.Write([]byte{octet}); err != nil {
			return err
		}
		c.inbox.linger(trickle)
	}
	return nil
}

// address is what stands between the angle brackets of MAIL and RCPT.
func address(line string) string {
	_, after, _ := strings.Cut(line, "<")
	inside, _, _ := strings.Cut(after, ">")
	return inside
}
