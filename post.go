package main

import (
	"context"
	"errors"
	"fmt"

	"notifio.app/notifio/config"
	"notifio.app/notifio/mail"
	"notifio.app/notifio/monitor"
)

// post is the mail side of a configuration: who takes letters, and to whom.
type post struct {
	courier    monitor.Courier
	recipients []string
	lookup     func(context.Context) error // resolves the mail server; nil where there is none
	test       func(context.Context) (string, error)
	folder     string // where letters are written; "" when they are sent or told by banner
	server     bool
}

// newPost makes what the configuration asks for: a mail server, a mail folder,
// by default the one among the data, or neither.
func (s system) newPost(c config.Config, p place) (post, error) {
	switch {
	case len(c.Searches) == 0: // only where there is no good file
		return post{courier: nobody{}, test: func(context.Context) (string, error) { return "", errNoFile }}, nil
	case c.Mail == nil:
		return folderPost(p.mailFolder()), nil
	case c.Mail.Host != "":
		return s.serverPost(*c.Mail)
	case c.Mail.HasFolder && c.Mail.Folder == "":
		return post{test: func(context.Context) (string, error) {
			return "", fmt.Errorf("there is neither a mail server nor a mail folder in %s: fill in [mail]", p.config)
		}}, nil
	case c.Mail.HasFolder:
		return folderPost(c.Mail.Folder), nil
	}
	return folderPost(p.mailFolder()), nil
}

var errNoFile = errors.New("who gets the email is not known: correct the configuration first")

// nobody takes no letters: until there is a good file, what waits for those who
// were to be told goes on waiting.
type nobody struct{}

func (nobody) Deliver(context.Context, monitor.Letter, func([]byte) error) error { return errNoFile }

func folderPost(dir string) post {
	f := mail.NewFolder(dir)
	return post{courier: f, recipients: []string{monitor.FolderRecipient}, test: f.Test, folder: dir}
}

func (s system) serverPost(c config.Mail) (post, error) {
	passwords := mail.NewPasswords(mail.Sources{File: c.Password, Username: c.Username})
	server, err := mail.NewServer(mail.Config{
		Host: c.Host, Port: c.Port, TLS: c.TLS, Username: c.Username,
		Password: passwords.Get, Refused: passwords.Forget, From: c.From, Roots: s.roots,
	})
	if err != nil {
		return post{}, err
	}
	return post{
		courier: server, recipients: c.To, server: true,
		lookup: func(ctx context.Context) error { return mail.Resolve(ctx, c.Host) },
		test:   func(ctx context.Context) (string, error) { return testAll(ctx, server, c.To) },
	}, nil
}

// testAll sends a test to every recipient and says how the last one, or the
// first that failed, went.
func testAll(ctx context.Context, server *mail.Server, to []string) (said string, err error) {
	for _, recipient := range to {
		if said, err = server.Test(ctx, recipient); err != nil {
			return "", err
		}
	}
	return said, nil
}

// settings are the whole of what the monitor goes by.
func (p post) settings(c config.Config) monitor.Settings {
	s := c.Settings()
	s.Courier, s.Recipients = p.courier, p.recipients
	return s
}
