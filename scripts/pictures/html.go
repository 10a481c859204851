package main

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"strings"
)

// htmlOf is the page in a message, as a mail program would find it.
func htmlOf(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	m, err := mail.ReadMessage(f)
	if err != nil {
		return nil, err
	}
	return htmlIn(m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
}

func htmlIn(kind, encoding string, body io.Reader) ([]byte, error) {
	media, params, err := mime.ParseMediaType(kind)
	switch {
	case err != nil:
		return nil, err
	case media == "text/html" && strings.EqualFold(encoding, "quoted-printable"):
		return io.ReadAll(quotedprintable.NewReader(body))
	case media == "text/html":
		return io.ReadAll(body)
	case !strings.HasPrefix(media, "multipart/"):
		return nil, errNoPage
	}
	for parts := multipart.NewReader(body, params["boundary"]); ; {
		part, err := parts.NextRawPart()
		if err != nil {
			return nil, errors.Join(errNoPage, err)
		}
		page, err := htmlIn(part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"), part)
		if err == nil {
			return page, nil
		}
	}
}

var errNoPage = errors.New("the message has no HTML in it")
