package mail

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/godbus/dbus/v5"
	"github.com/zalando/go-keyring"
)

// keyringService is the name under which the password is filed.
const keyringService = "notifio"

// errAbsent is the answer of a keyring that has nothing, or is not there.
var errAbsent = errors.New("nothing there")

func keyringGet(user string) (password string, err error) {
	defer survive(&err)
	if !keyringReachable() {
		return "", fmt.Errorf("%w: this session has no keyring", errAbsent)
	}
	password, err = keyring.Get(keyringService, user)
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return "", errAbsent
	case missing(err):
		return "", fmt.Errorf("%w: this system has no keyring", errAbsent)
	case err != nil:
		return "", fmt.Errorf("the keyring: %w", err)
	}
	return password, nil
}

func keyringSet(user, password string) (err error) {
	defer survive(&err)
	if !keyringReachable() {
		return fmt.Errorf("%w: this session has no keyring", errAbsent)
	}
	return keyring.Set(keyringService, user, password)
}

// survive makes an error of a panic: go-keyring v0.2.8 dereferences nil when the
// session bus goes away while the user is being asked to unlock the keyring.
func survive(err *error) {
	if trouble := recover(); trouble != nil {
		*err = fmt.Errorf("the keyring went away: %v", trouble)
	}
}

// missing says whether nobody on this system keeps secrets, which asking again
// will not change.
func missing(err error) bool {
	var fault dbus.Error
	return errors.Is(err, keyring.ErrUnsupportedPlatform) ||
		errors.As(err, &fault) && fault.Name == "org.freedesktop.DBus.Error.ServiceUnknown"
}

// keyringReachable says whether there is a session bus to reach a keyring on.
// Where there is none the D-Bus library would start one by dbus-launch, which
// nobody would ever stop.
func keyringReachable() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return true
	}
	_, err := os.Stat(filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "bus"))
	return err == nil
}
