package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"os"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// step is one exchange with the server, named as in an error.
type step string

const (
	atConnect  step = "connecting"
	atTLS      step = "TLS"
	atGreeting step = "the greeting"
	atHello    step = "EHLO"
	atStartTLS step = "STARTTLS"
	atLogin    step = "AUTH"
	atSender   step = "MAIL FROM"
	atRcpt     step = "RCPT TO"
	atData     step = "DATA"
	atMessage  step = "the message"
	atAnswer   step = "the end of the message"
)

// conversation is one connection to the server. It belongs to one goroutine; the
// end of ctx closes the connection under it, and every step ends at its deadline.
type conversation struct {
	ctx      context.Context
	config   Config
	password string
	raw      net.Conn // the connection itself, beneath TLS
	conn     net.Conn // raw, or TLS over it
	client   *smtp.Client
	secure   bool
	mute     bool        // in the middle of a message: one line more would become part of it
	release  func() bool // stops watching ctx
}

// open connects, with TLS from the first byte where that is the mode.
func open(ctx context.Context, config Config, password string) (*conversation, error) {
	c := &conversation{ctx: ctx, config: config, password: password}
	dialing, cancel := context.WithTimeout(ctx, config.Step)
	defer cancel()
	conn, err := config.Dial(dialing, "tcp", config.address())
	if err != nil {
		return nil, c.explain(atConnect, config.Step, err)
	}
	c.raw, c.conn = conn, conn
	c.release = context.AfterFunc(ctx, func() { _ = conn.Close() })
	if err := c.begin(); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *conversation) begin() error {
	remote, isTCP := c.raw.RemoteAddr().(*net.TCPAddr)
	if c.config.TLS == TLSNone && isTCP && !remote.IP.IsLoopback() {
		return refuse(monitor.AccountRefused, "use tls = \"auto\"",
			fmt.Errorf("%s: leads to %s, another machine, and tls is \"none\"", c.config.address(), remote.IP))
	}
	if c.config.TLS != TLSImplicit {
		return nil
	}
	secure := tls.Client(c.raw, c.tls())
	err := c.do(atTLS, c.config.Step, secure.Handshake)
	c.conn, c.secure = secure, err == nil
	return err
}

func (c *conversation) tls() *tls.Config {
	return &tls.Config{ServerName: c.config.Host, RootCAs: c.config.Roots, MinVersion: tls.VersionTLS12}
}

// do gives one step its deadline and its error a meaning.
func (c *conversation) do(at step, limit time.Duration, exchange func() error) error {
	deadline := time.Now().Add(limit)
	err := c.raw.SetDeadline(deadline)
	if err == nil {
		err = exchange()
	}
	// net/textproto takes half a line for a whole one when the time is up.
	if err == nil && !time.Now().Before(deadline) {
		err = os.ErrDeadlineExceeded
	}
	if err != nil {
		return c.explain(at, limit, err)
	}
	return nil
}

func (c *conversation) greet() error {
	err := c.do(atGreeting, c.config.Step, func() error {
		client, err := smtp.NewClient(keepOpen{c.conn}, c.config.Host)
		c.client = client
		return err
	})
	var failed *monitor.DeliveryError
	if errors.As(err, &failed) && c.speaksTLS(failed.Err) {
		return refuse(monitor.AccountRefused, "this port wants TLS from the first byte: set tls = \"tls\"", failed.Err)
	}
	return err
}

// keepOpen hides Close from smtp.NewClient, which would close the connection when
// there is no greeting; speaksTLS still needs it then. It hides a *tls.Conn too,
// which is why nothing here asks the client whether it is encrypted.
type keepOpen struct{ net.Conn }

func (keepOpen) Close() error { return nil }

// speaksTLS says whether a port that gave no plain greeting is waiting for TLS.
// It is asked on the same connection, which is of no more use anyway.
func (c *conversation) speaksTLS(greeting error) bool {
	if c.secure || c.ctx.Err() != nil || !errors.Is(greeting, context.DeadlineExceeded) {
		return false
	}
	_ = c.raw.SetDeadline(time.Now().Add(min(5*time.Second, c.config.Step)))
	var unknown *tls.CertificateVerificationError
	err := tls.Client(c.raw, c.tls()).Handshake()
	return err == nil || errors.As(err, &unknown)
}

func (c *conversation) hello() error {
	host, _ := os.Hostname()
	return c.do(atHello, c.config.Step, func() error {
		return c.client.Hello(helloName(host, c.raw.LocalAddr()))
	})
}

// helloName is how we introduce ourselves: the full name of this machine, or the
// address that it connects from. Strict servers refuse "localhost" and names
// without a domain.
func helloName(host string, local net.Addr) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if legalName(host) {
		return host
	}
	tcp, ok := local.(*net.TCPAddr)
	switch {
	case !ok:
		return "[127.0.0.1]"
	case tcp.IP.To4() != nil:
		return "[" + tcp.IP.To4().String() + "]"
	default:
		return "[IPv6:" + tcp.IP.String() + "]"
	}
}

// legalName says whether host is a name with a domain, of letters, digits and
// hyphens, and not one that every machine has.
func legalName(host string) bool {
	labels := strings.Split(host, ".")
	if len(labels) < 2 || len(host) > 253 || labels[len(labels)-1] == "localdomain" || labels[len(labels)-1] == "localhost" {
		return false
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" ||
			label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	return net.ParseIP(host) == nil
}

// encrypt turns to TLS where it is not on yet. A server that does not offer it
// gets nothing from us.
func (c *conversation) encrypt() error {
	if c.secure || c.config.TLS == TLSNone {
		return nil
	}
	if offered, _ := c.client.Extension("STARTTLS"); !offered {
		return refuse(monitor.AccountRefused, c.config.withoutStartTLS(),
			fmt.Errorf("%s: does not offer STARTTLS, nothing was sent", c.config.address()))
	}
	err := c.do(atStartTLS, c.config.Step, func() error { return c.client.StartTLS(c.tls()) })
	c.secure = err == nil
	return err
}

// envelope names sender and recipient. net/smtp's own MAIL would ask for SMTPUTF8
// wherever it is offered, and a server further on that does not know it would
// bounce a message that never needed it.
func (c *conversation) envelope(from, to string, size int) error {
	command := "MAIL FROM:<" + from + ">"
	if offered, _ := c.client.Extension("SIZE"); offered {
		command += fmt.Sprintf(" SIZE=%d", size)
	}
	if err := c.do(atSender, c.config.Step, func() error { return c.command(250, command) }); err != nil {
		return err
	}
	return c.do(atRcpt, c.config.Step, func() error { return c.command(25, "RCPT TO:<"+to+">") })
}

func (c *conversation) command(expect int, line string) error {
	if _, err := c.client.Text.Cmd("%s", line); err != nil {
		return err
	}
	_, _, err := c.client.Text.ReadResponse(expect)
	return err
}

// data hands the message over. Until its dot is out nothing has been sent, as far
// as the server may know; from then on, only the answer can tell.
func (c *conversation) data(raw []byte, seal func([]byte) error) error {
	if err := c.do(atData, c.config.Step, func() error { return c.command(354, "DATA") }); err != nil {
		return err
	}
	c.mute = true
	if err := seal(raw); err != nil {
		return refuse(monitor.Temporary, "", fmt.Errorf("nothing sent: saving the message first: %w", err))
	}
	message := c.client.Text.DotWriter()
	err := c.do(atMessage, c.config.Step, func() error {
		if _, err := message.Write(raw); err != nil {
			return c.earlyAnswer(err)
		}
		if err := c.client.Text.W.Flush(); err != nil {
			return c.earlyAnswer(err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.do(atAnswer, c.config.Answer, func() error {
		_ = message.Close() // the dot; when it does not get out, no answer comes in
		_, _, err := c.client.Text.ReadResponse(250)
		c.mute = err != nil && !isAnswer(err)
		return err
	})
}

// earlyAnswer looks for the reason that a server gave before it stopped reading.
func (c *conversation) earlyAnswer(broken error) error {
	_ = c.raw.SetReadDeadline(time.Now().Add(min(time.Second, c.config.Step)))
	if _, _, err := c.client.Text.ReadResponse(250); isAnswer(err) {
		return err
	}
	return broken
}

// close says QUIT without waiting for the answer, for nothing depends on it.
func (c *conversation) close() {
	_ = c.raw.SetDeadline(time.Now().Add(min(time.Second, c.config.Step)))
	if c.client != nil {
		if !c.mute {
			_, _ = c.client.Text.Cmd("QUIT")
		}
		_ = c.client.Close()
	}
	_ = c.conn.Close()
	_ = c.raw.Close()
	c.release()
}
