package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The words that one Notifio says to another that is running on the same data.
const (
	showYourself = "show"
	retryMail    = "retry-mail"
	signInWord   = "sign-in" // with a host, or the name of a search
	dryRunWord   = "dry-run" // with the address of a listing
)

// doorLimit is how long the other side may take for its one line.
const doorLimit = 2 * time.Second

// longestWord is how long a word with its argument may be: an address is.
const longestWord = 4096

// door is where the running Notifio listens: a loopback port, and a secret that
// only those who may read the data folder know.
func (p place) door() string { return filepath.Join(p.data, "notifio.door") }

// listen hears the words of other Notifios until ctx ends. Without it a second
// start only cannot make itself heard.
func (p place) listen(ctx context.Context, log *slog.Logger, heard func(word string) (end func() (string, error))) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Warn("A second start will not be heard", "reason", err)
		return
	}
	context.AfterFunc(ctx, func() { l.Close(); os.Remove(p.door()) })
	secret := make([]byte, 16)
	rand.Read(secret)
	token := hex.EncodeToString(secret)
	if err := os.WriteFile(p.door(), []byte(l.Addr().String()+" "+token), 0o600); err != nil {
		log.Warn("A second start will not be heard", "reason", err)
		return
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go answer(conn, token, heard)
		}
	}()
}

func answer(conn net.Conn, token string, heard func(word string) (end func() (string, error))) {
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(doorLimit))
	line, err := bufio.NewReaderSize(conn, longestWord).ReadSlice('\n')
	if err != nil {
		return
	}
	word, known := strings.CutPrefix(strings.TrimSpace(string(line)), token+" ")
	if !known {
		return
	}
	end := heard(word)
	fmt.Fprintln(conn, "heard")
	if end == nil {
		return
	}
	conn.SetDeadline(time.Time{})
	said, err := end()
	mark := endedWell
	if err != nil {
		mark, said = endedBadly, err.Error()
	}
	fmt.Fprintln(conn, mark, strings.Join(strings.Fields(said), " "))
}

// How the line begins that follows a word whose end is waited for.
const (
	endedWell  = "well"
	endedBadly = "badly"
)

// tell says a word to the running Notifio, and whether it was heard.
func (p place) tell(word string) bool {
	conn, _, err := p.say(word)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// ask says a word to the running Notifio, waits until what it asks for is done, and
// returns what there is to say of it.
func (p place) ask(ctx context.Context, word string) (string, error) {
	conn, said, err := p.say(word)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	conn.SetDeadline(time.Time{})
	line, err := said.ReadString('\n')
	mark, text, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", errors.New("the running Notifio has ended: start it again")
	case mark != endedWell:
		return "", errors.New(text)
	}
	return text, nil
}

// say knocks at the door and says a word.
func (p place) say(word string) (net.Conn, *bufio.Reader, error) {
	deaf := errors.New("the running Notifio does not hear: quit it, and start it again")
	text, err := os.ReadFile(p.door())
	address, token, ok := strings.Cut(string(text), " ")
	if err != nil || !ok {
		return nil, nil, deaf
	}
	conn, err := net.DialTimeout("tcp", address, doorLimit)
	if err != nil {
		return nil, nil, deaf
	}
	conn.SetDeadline(time.Now().Add(doorLimit))
	fmt.Fprintln(conn, token, strings.Join(strings.Fields(word), " "))
	said := bufio.NewReader(conn)
	if line, _ := said.ReadString('\n'); line != "heard\n" {
		conn.Close()
		return nil, nil, deaf
	}
	return conn, said, nil
}
