// Command pictures shows what the pictures of the README are taken of: the tray in
// each state, a banner, an email. What it shows is made up; who shows it is the
// product itself.
//
//	pictures tray         an icon with its menu; a line on stdin names its state
//	pictures banner       one banner, until stdin ends
//	pictures mail FOLDER  the page of an email, served until stdin ends; prints its URL
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"notifio.app/notifio/assets/demo"
	"notifio.app/notifio/mail"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/tray"
)

func main() {
	if err := show(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func show(args []string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	switch {
	case len(args) == 1 && args[0] == "tray":
		return showTray(ctx, cancel)
	case len(args) == 1 && args[0] == "banner":
		return showBanner(ctx)
	case len(args) == 2 && args[0] == "mail":
		return showMail(ctx, args[1])
	}
	return errors.New("say tray, banner, or mail FOLDER")
}

// awaitEnd returns when stdin has ended; each line is handed to said.
func awaitEnd(said func(line string)) {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		said(in.Text())
	}
}

func showTray(ctx context.Context, cancel func()) error {
	t := tray.New(tray.Options{
		Log: slog.New(slog.NewTextHandler(os.Stderr, nil)), Version: "0.9.0",
		HasMail: func() bool { return true }, StartsAtLogin: func() bool { return true },
		Actions: tray.Actions{SignIn: func(string) {}, Report: func() {}},
	})
	t.Show(view("news", time.Now()))
	go func() {
		defer cancel()
		awaitEnd(func(state string) { t.Show(view(state, time.Now())) })
	}()
	return t.Run(ctx)
}

func showBanner(ctx context.Context) error {
	n := tray.NewNotifier(tray.NotifierOptions{Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	n.Notify(monitor.Banner{
		Title: "€ 1,450 per month · Canal Street 21", URL: "https://rooms.example/21",
		Body: "Two rooms with a balcony\n58 m², 2 rooms\nCity centre",
	})
	go func() { _ = n.Run(ctx) }() // it ends with the process
	awaitEnd(func(string) {})
	return nil
}

// showMail writes the email into a mail folder, as Notifio does without a mail
// server, and serves the page in it, with the demo's photos beside it.
func showMail(ctx context.Context, folder string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	here := "http://" + listener.Addr().String()
	found := alerts(time.Now())[:2]
	for i := range found {
		found[i].Listing.Photo = fmt.Sprintf("%s/photo/%d.png", here, 1001+i)
	}
	page, err := deliver(ctx, folder, found)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/photo/", demo.New(demo.Options{}))
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // a browser that leaves is no trouble
	})
	go func() { _ = http.Serve(listener, mux) }() // it ends with the process
	fmt.Println(here)
	awaitEnd(func(string) {})
	return nil
}

// deliver takes one email through the product's own mail folder and returns the page
// that is in it.
func deliver(ctx context.Context, folder string, found []monitor.Alert) ([]byte, error) {
	l := monitor.Letter{ID: "picture@notifio.app", To: monitor.FolderRecipient, Alerts: found}
	if err := mail.NewFolder(folder).Deliver(ctx, l, func([]byte) error { return nil }); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "new", "*"))
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("the mail folder has %d messages, want one: %w", len(files), err)
	}
	return htmlOf(files[0])
}
