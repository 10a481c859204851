package main

import (
	"context"
	"errors"
	"fmt"

	"notifio.app/notifio/config"
	"notifio.app/notifio/mail"
	"notifio.app/notifio/monitor"
)

// post is the mail side of a configuration: where things are told.
type post struct {
	destinations []monitor.Destination
	lookup       func(context.Context) error // resolves the mail server; nil where there is none
	test         func(context.Context) (string, error)
	folder       string // where letters are written; "" when they are sent or told by banner
	server       bool
}

// newPost makes what the configuration asks for: a mail server, a mail folder,
// by default the one among the data, or neither.
func (s system) newPost(c config.Config, p place) (post, error) {
	switch {
	case len(c.Searches) == 0: // only where there is no good file
		return post{test: func(context.Context) (string, error) { return "", errNoFile }}, nil
	case c.Mail == nil:
		return folderPost(p.mailFolder()), nil
	case c.Mail.Host != "":
		return s.serverPost(*c.Mail)
	case c.Mail.HasFolder && c.Mail.Folder == "":
		return post{destinations: []monitor.Destination{{Name: monitor.BannerRecipient}}, test: func(context.Context) (string, error) {
			return "", fmt.Errorf("there is neither a mail server nor a mail folder in %s: fill in [mail]", p.config)
		}}, nil
	case c.Mail.HasFolder:
		return folderPost(c.Mail.Folder), nil
	}
	return folderPost(p.mailFolder()), nil
}

var errNoFile = errors.New("who gets the email is not known: correct the configuration first")

func folderPost(dir string) post {
	f := mail.NewFolder(dir)
	return post{destinations: []monitor.Destination{{Name: monitor.FolderRecipient, Courier: f}}, test: f.Test, folder: dir}
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
	var to []monitor.Destination
	for _, address := range c.To {
		to = append(to, monitor.Destination{Name: address, Account: c.Username + "@" + c.Host, Courier: server})
	}
	return post{
		destinations: to, server: true,
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

// settings are the whole of what the machines go by.
func (p post) settings(c config.Config) monitor.Settings {
	s := c.Settings()
	s.Destinations = p.destinations
	return s
}
