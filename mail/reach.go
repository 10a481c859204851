package mail

import (
	"context"
	"errors"
	"strings"
)

// Reach says whether the server answers and encrypts, without a login and without
// sending anything. The error is that of Deliver.
func (s *Server) Reach(ctx context.Context) (string, error) {
	c, err := open(ctx, s.config, "")
	if err != nil {
		return "", err
	}
	defer c.close()
	for _, step := range []func() error{c.greet, c.hello, c.encrypt} {
		if err := step(); err != nil {
			return "", err
		}
	}
	how := map[string]string{TLSImplicit: "over TLS", TLSStart: "over STARTTLS", TLSNone: "without encryption, on this machine"}[s.config.TLS]
	return s.config.address() + " answers " + how, nil
}

// Keyring says whether the system's keyring answers: nil when it does, or why not.
// It waits until ctx ends: a locked one asks the user.
func Keyring(ctx context.Context) error {
	answered := make(chan error, 1)
	go func() {
		_, err := keyringGet("nobody")
		answered <- err
	}()
	select {
	case err := <-answered:
		if err == errAbsent { // what was asked for is not there, but somebody looked
			return nil
		}
		if errors.Is(err, errAbsent) {
			return errors.New(strings.TrimPrefix(err.Error(), errAbsent.Error()+": "))
		}
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
