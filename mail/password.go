package mail

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// PasswordVariable is the environment variable that may hold the password.
const PasswordVariable = "NOTIFIO_MAIL_PASSWORD"

// keyringPatience is how long the keyring may take. A locked one asks the user,
// who may be away, and its library has no limit of its own.
const keyringPatience = 5 * time.Second

// ErrNoPassword is the error of Passwords.Get when there is none in any place.
var ErrNoPassword = errors.New("no mail password")

// Sources are the places where the password may be, in the order in which they
// are asked: the environment, the file, the keyring.
type Sources struct {
	File     string        // the password that the configuration file holds, or ""
	Username string        // whose password the keyring is asked for
	Patience time.Duration // with the keyring; 0 means 5 s
}

// Passwords finds the password and remembers it. It may be used by several
// goroutines.
type Passwords struct {
	sources Sources

	mu      sync.Mutex
	known   string
	pending *question // that the keyring has not answered yet
}

// question is one put to the keyring; the answer may be read once answered is closed.
type question struct {
	answered chan struct{}
	password string
	err      error
}

// NewPasswords looks nowhere yet.
func NewPasswords(s Sources) *Passwords {
	if s.Patience == 0 {
		s.Patience = keyringPatience
	}
	return &Passwords{sources: s}
}

// Get returns the password. It takes at most the keyring's patience, and ends
// with ctx. When no place has one, the error wraps ErrNoPassword and names the
// places; a keyring that is locked or does not answer is another error, for it
// may open later.
func (p *Passwords) Get(ctx context.Context) (string, error) {
	p.mu.Lock()
	known := p.known
	p.mu.Unlock()
	for _, password := range []string{known, os.Getenv(PasswordVariable), p.sources.File} {
		if password = strings.TrimRight(password, "\r\n"); password != "" {
			return password, nil
		}
	}
	password, err := p.ask(ctx)
	if err == nil && password == "" {
		err = errAbsent
	}
	if errors.Is(err, errAbsent) {
		return "", fmt.Errorf("%w for %s: it is not in %s, not in the configuration file, and not in the keyring (%w): run notifio password",
			ErrNoPassword, p.sources.Username, PasswordVariable, err)
	}
	if err != nil {
		return "", fmt.Errorf("mail password of %s: %w; %s or the configuration file can hold it instead", p.sources.Username, err, PasswordVariable)
	}
	return password, nil
}

// Forget drops what the keyring said, so that the next Get asks it again: the
// server has refused the password, and the user may have stored another.
func (p *Passwords) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known = ""
}

// ask waits for the keyring. A question that outlasts the patience stays open:
// the next call waits for its answer instead of asking the user once more.
func (p *Passwords) ask(ctx context.Context) (string, error) {
	p.mu.Lock()
	pending := p.pending
	if pending == nil {
		pending = &question{answered: make(chan struct{})}
		p.pending = pending
		go p.put(pending)
	}
	p.mu.Unlock()
	select {
	case <-pending.answered:
		return pending.password, pending.err
	case <-ctx.Done():
		return "", ctx.Err()
	case <-time.After(p.sources.Patience):
		return "", fmt.Errorf("the keyring did not answer within %s: is it locked?", p.sources.Patience)
	}
}

// put puts one question to the keyring. A late answer is still remembered.
func (p *Passwords) put(q *question) {
	q.password, q.err = keyringGet(p.sources.Username)
	p.mu.Lock()
	defer p.mu.Unlock()
	if q.err == nil {
		p.known = q.password
	}
	p.pending = nil
	close(q.answered)
}

// StorePassword puts the password of user into the system's keyring. The user is
// there and may have to unlock it, so it waits until ctx ends. An empty password,
// or one with a line end in it, is an error.
func StorePassword(ctx context.Context, user, password string) error {
	switch {
	case user == "":
		return errors.New("no user name: set username under [mail] first")
	case password == "":
		return errors.New("the password is empty")
	case strings.ContainsAny(password, "\r\n\x00"):
		return errors.New("the password has more than one line")
	}
	stored := make(chan error, 1)
	go func() { stored <- keyringSet(user, password) }()
	select {
	case err := <-stored:
		if err != nil {
			return fmt.Errorf("storing the password in the keyring: %w; %s or the configuration file can hold it instead", err, PasswordVariable)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("storing the password in the keyring: %w", ctx.Err())
	}
}
