package mail

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// keyringAt leads everything that asks for a keyring to address.
func keyringAt(t *testing.T, address string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the keyring of this system cannot be led elsewhere")
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	t.Setenv(PasswordVariable, "")
}

// noKeyring is a session bus that nobody listens at.
func noKeyring(t *testing.T) {
	keyringAt(t, "unix:path="+filepath.Join(t.TempDir(), "nobody"))
}

// silentBus takes connections and never says a word.
func silentBus(t *testing.T) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	keyringAt(t, "unix:path="+path)
}

func TestPasswordComesFromTheFirstPlaceThatHasOne(t *testing.T) {
	noKeyring(t)
	p := NewPasswords(Sources{File: "from the file", Username: "ana"})
	if got, err := p.Get(t.Context()); got != "from the file" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	t.Setenv(PasswordVariable, "from the environment\n")
	if got, err := p.Get(t.Context()); got != "from the environment" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestASilentKeyringIsGivenUpAndAskedOnce(t *testing.T) {
	silentBus(t)
	p := NewPasswords(Sources{Username: "ana", Patience: 50 * time.Millisecond})
	before := runtime.NumGoroutine()
	for range 20 {
		_, err := p.Get(t.Context())
		if err == nil || errors.Is(err, ErrNoPassword) || !strings.Contains(err.Error(), "did not answer within 50ms") ||
			!strings.Contains(err.Error(), PasswordVariable) {
			t.Fatalf("error %v", err)
		}
	}
	if n := runtime.NumGoroutine() - before; n > 3 {
		t.Errorf("%d goroutines wait for the keyring", n)
	}
}

func TestAskingTheKeyringEndsWithTheContext(t *testing.T) {
	silentBus(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewPasswords(Sources{Username: "ana"}).Get(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := StorePassword(ctx, "ana", secret); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), secret) {
		t.Errorf("error %v", err)
	}
}

func TestAPasswordThatCannotBeOneIsNotStored(t *testing.T) {
	for says, pair := range map[string][2]string{
		"set username": {"", "x"}, "is empty": {"ana", ""}, "more than one line": {"ana", "a\nb"},
	} {
		if err := StorePassword(t.Context(), pair[0], pair[1]); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
}
