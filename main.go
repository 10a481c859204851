// Notifio watches saved searches on rental portals, in a browser on this
// machine, and tells its user about a new home within the minute.
//
// This package reads the command line, wires the other packages together and
// does nothing else.
package main

import (
	"context"
	"crypto/x509"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"notifio.app/notifio/browser"
	"notifio.app/notifio/config"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

//go:embed notifio.toml.example
var example string

// Exit codes. checkDoubt is that of a `check` some of whose searches were not clean.
const (
	exitFine    = 0
	exitTrouble = 1
	exitUsage   = 2 // wrong usage, bad configuration
	exitRunning = 3 // another Notifio works on this data
	exitNewer   = 4 // the data is a newer Notifio's
)

// system is the world around the program; tests bring their own.
type system struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	timing         monitor.Timing // zero: the promises of the product
	limits         browser.Limits // zero: the promises of the product
	roots          *x509.CertPool // nil: the system's certificate authorities
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := run(ctx, os.Args[1:], system{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr})
	stop()
	os.Exit(code)
}

const usage = `Usage: notifio [--config FILE] [--data DIR] [--terminal] [command]

Without a command Notifio watches your searches from the system tray, or in the
terminal where there is no tray.

Commands:
  check [--json]   check every search once, tell what is new, and exit:
                   0 all clean, 1 some not, 2 bad configuration, 3 Notifio is running,
                   4 the data is a newer Notifio's
  extract [--json] URL, or extract [--json] --as URL FILE.html [--as URL FILE.html …]
                   show what is read on a results page, or on a saved one
  sign-in HOST     open a window in which you sign in to a portal, or answer it
  reply --list     print what was sent for you, and why the rest was not
  reply --dry-run URL
                   fill in the form of a listing, send nothing, and keep a picture
  test-mail        send a small email and say what is wrong if it does not arrive
  report           write a page about when listings appear and how the checks went,
                   and open it; --no-open only prints where it is
  doctor           print what a report of a fault should say, without secrets
  password         store the password of your mail account in the system's keyring

Options:
`

// run is the program, but for the process around it. It returns the exit code.
func run(ctx context.Context, args []string, sys system) int {
	flags := flag.NewFlagSet("notifio", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	configFile := flags.String("config", config.Path(), "configuration `FILE`")
	dataDir := flags.String("data", defaultData(), "`DIR` for what Notifio remembers")
	terminal := flags.Bool("terminal", false, "run in the terminal, without an icon")
	atLogin := flags.Bool(atLoginFlag, false, "the system starts Notifio, with many others at the same moment:\nthe first check follows within the first interval")
	showVersion := flags.Bool("version", false, "print the version and exit")
	if err := flags.Parse(args); err != nil {
		return sys.misused(flags, err)
	}
	if *showVersion {
		fmt.Fprintln(sys.stdout, "notifio", version())
		return exitFine
	}
	command, rest := flags.Arg(0), flags.Args()
	if len(rest) > 0 {
		rest = rest[1:]
	}
	if command == "doctor" { // also where there is no place to work in
		return sys.doctor(ctx, *configFile, *dataDir, rest)
	}
	p, err := newPlace(*configFile, *dataDir)
	if err != nil {
		return sys.fail(err)
	}
	switch command {
	case "help":
		return sys.misused(flags, flag.ErrHelp)
	case "":
		return sys.watch(ctx, p, manner{terminal: *terminal, atLogin: *atLogin})
	case "check":
		return sys.checkOnce(ctx, p, rest)
	case "report":
		return sys.report(ctx, p, rest)
	case "extract":
		return sys.extract(ctx, p, rest)
	case "sign-in":
		return sys.signIn(ctx, p, rest)
	case "reply":
		return sys.reply(ctx, p, rest)
	case "test-mail":
		return sys.testMail(ctx, p, rest)
	case "password":
		return sys.storePassword(ctx, p, rest)
	}
	return sys.wrong("unknown command %q", command)
}

// misused answers a command line that could not be read, or a cry for help.
func (s system) misused(flags *flag.FlagSet, err error) int {
	if !errors.Is(err, flag.ErrHelp) {
		return s.wrong("%v", err)
	}
	fmt.Fprint(s.stdout, usage)
	flags.SetOutput(s.stdout)
	flags.PrintDefaults()
	return exitFine
}

// wrong says in one line what is wrong with the usage and what to do.
func (s system) wrong(format string, args ...any) int {
	fmt.Fprintf(s.stderr, "notifio: "+format+": see notifio --help\n", args...)
	return exitUsage
}

// fail prints an error, one line for each line of it.
func (s system) fail(err error) int {
	for _, line := range strings.Split(err.Error(), "\n") {
		fmt.Fprintln(s.stderr, "notifio:", line)
	}
	if errors.Is(err, store.ErrNewer) {
		return exitNewer
	}
	return exitTrouble
}

// stamped is the version that a package was made as. The linker puts it in.
var stamped string

// version is that of the package, of the module, or of the checkout it was built from.
func version() string {
	if stamped != "" {
		return stamped
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "development build"
	}
	return info.Main.Version
}
