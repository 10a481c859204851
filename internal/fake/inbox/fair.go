package inbox

import (
	"crypto/tls"
	"errors"
	"io"
	"net"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// session is one conversation that go-smtp leads.
type session struct {
	inbox  *Inbox
	number int
	conn   *smtp.Conn
	user   string
	from   string
	to     []string
}

func (i *Inbox) session(c *smtp.Conn) (smtp.Session, error) {
	s := &session{inbox: i, number: numberOf(c.Conn()), conn: c}
	i.note(s.number, func(record *Connection) {
		record.Hello = c.Hostname()
		record.TLS = s.secure()
	})
	return s, nil
}

// numberOf finds our own connection beneath TLS.
func numberOf(conn net.Conn) int {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	return conn.(*tap).number
}

func (s *session) secure() bool {
	_, ok := s.conn.TLSConnectionState()
	return ok
}

func (s *session) AuthMechanisms() []string {
	if s.inbox.options.NoAuth {
		return nil
	}
	return s.inbox.options.Mechanisms
}

func (s *session) Auth(mechanism string) (sasl.Server, error) {
	judge := func(username, password string) error {
		login := Login{Mechanism: mechanism, Username: username, Password: password, TLS: s.secure()}
		if !s.inbox.login(s.number, login) {
			return smtp.ErrAuthFailed
		}
		s.user = username
		return nil
	}
	switch mechanism {
	case "PLAIN":
		return sasl.NewPlainServer(func(_, username, password string) error { return judge(username, password) }), nil
	case "LOGIN":
		return &loginServer{judge: judge}, nil
	default:
		return nil, smtp.ErrAuthUnknownMechanism
	}
}

// loginServer is the server's side of AUTH LOGIN, which go-sasl does not have.
type loginServer struct {
	judge    func(username, password string) error
	asked    int
	username string
}

func (l *loginServer) Next(response []byte) (challenge []byte, done bool, err error) {
	l.asked++
	switch {
	case l.asked == 1 && response == nil:
		return []byte("Username:"), false, nil
	case l.asked == 1: // an initial response is the user name
		l.asked++
		fallthrough
	case l.asked == 2:
		l.username = string(response)
		return []byte("Password:"), false, nil
	case l.asked == 3:
		return nil, true, l.judge(l.username, string(response))
	}
	return nil, true, errors.New("login: one answer too many")
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.inbox.keep(Message{From: s.from, To: s.to, Login: s.user, TLS: s.secure(), Raw: raw})
	return nil
}

func (s *session) Reset()        { s.from, s.to = "", nil }
func (s *session) Logout() error { return nil }
