package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
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
)

// doorLimit is how long the other side may take for its one line.
const doorLimit = 2 * time.Second

// door is where the running Notifio listens: a loopback port, and a secret that
// only those who may read the data folder know.
func (p place) door() string { return filepath.Join(p.data, "notifio.door") }

// listen hears the words of other Notifios until ctx ends. Without it a second
// start only cannot make itself heard.
func (p place) listen(ctx context.Context, log *slog.Logger, heard func(word string)) {
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

func answer(conn net.Conn, token string, heard func(word string)) {
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(doorLimit))
	line, err := bufio.NewReaderSize(conn, 128).ReadSlice('\n')
	if err != nil {
		return
	}
	word, known := strings.CutPrefix(strings.TrimSpace(string(line)), token+" ")
	if !known {
		return
	}
	heard(word)
	fmt.Fprintln(conn, "heard")
}

// tell says a word to the running Notifio, and whether it was heard.
func (p place) tell(word string) bool {
	text, err := os.ReadFile(p.door())
	address, token, ok := strings.Cut(string(text), " ")
	if err != nil || !ok {
		return false
	}
	conn, err := net.DialTimeout("tcp", address, doorLimit)
	if err != nil {
		return false
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(doorLimit))
	fmt.Fprintln(conn, token, word)
	said, _ := bufio.NewReader(conn).ReadString('\n')
	return said == "heard\n"
}
