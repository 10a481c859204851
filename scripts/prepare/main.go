// Command prepare gets a browser and its driver ready for the tests, by the
// product's own installer and into the user's cache folder, and starts it once.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"notifio.app/notifio/browser"
)

func main() {
	if err := prepare(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func prepare() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b, err := browser.New(browser.Options{
		Executable: os.Getenv("NOTIFIO_BROWSER"),
		Headless:   true,
		Progress:   func(text string) { fmt.Println(text) },
	})
	if err != nil {
		return err
	}
	err = b.Prepare(ctx)
	return errors.Join(err, b.Close(context.WithoutCancel(ctx)))
}
