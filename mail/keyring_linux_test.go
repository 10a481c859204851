package mail

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// busConfig is a session bus that starts no services, so that no test ever meets
// the keyring of whoever runs it.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir=DIR</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`

// privateBus starts a session bus of the test's own and leads us to it.
func privateBus(t *testing.T) {
	t.Helper()
	path, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Fatal("dbus-daemon is missing: install the package dbus")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "bus.conf")
	if err := os.WriteFile(config, []byte(strings.Replace(busConfig, "DIR", dir, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	daemon := exec.Command(path, "--config-file="+config, "--nofork", "--print-address")
	out, err := daemon.StdoutPipe()
	if err == nil {
		err = daemon.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// go-keyring's connection is shared by the whole process and outlives us.
		if bus, err := dbus.SessionBus(); err == nil {
			_ = bus.Close()
		}
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	keyringAt(t, strings.TrimSpace(address))
}

// secretService keeps secrets as org.freedesktop.secrets, in memory.
type secretService struct {
	locked bool          // unlocking asks the user, who never answers
	asked  chan struct{} // hears it then

	mu      sync.Mutex
	secrets map[string][]byte // by object path
}

const secretsPath = dbus.ObjectPath("/org/freedesktop/secrets")

func startSecrets(t *testing.T, s *secretService) {
	t.Helper()
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	s.secrets = map[string][]byte{}
	err = errors.Join(
		conn.Export(service{s}, secretsPath, "org.freedesktop.Secret.Service"),
		conn.Export(collection{s}, secretsPath+"/aliases/default", "org.freedesktop.Secret.Collection"),
		conn.Export(session{}, secretsPath+"/session/1", "org.freedesktop.Secret.Session"),
		conn.Export(prompt{s}, secretsPath+"/prompt/1", "org.freedesktop.Secret.Prompt"),
		conn.ExportSubtree(item{s}, secretsPath+"/item", "org.freedesktop.Secret.Item"),
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName("org.freedesktop.secrets", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
}

type (
	service    struct{ s *secretService }
	collection struct{ s *secretService }
	session    struct{}
	prompt     struct{ s *secretService }
	item       struct{ s *secretService }
	// held is a secret as it travels.
	held struct {
		Session    dbus.ObjectPath
		Parameters []byte
		Value      []byte
		Type       string
	}
)

func (service) OpenSession(string, dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
	return dbus.MakeVariant(""), secretsPath + "/session/1", nil
}

func (v service) Unlock(objects []dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	if v.s.locked {
		return nil, secretsPath + "/prompt/1", nil
	}
	return objects, "/", nil
}

// key turns attributes into one element of an object path.
func (collection) key(attributes map[string]string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' && r < 'a' || r > 'z' {
			return '_'
		}
		return r
	}, attributes["service"]+"/"+attributes["username"])
}

func (v collection) path(key string) dbus.ObjectPath {
	return secretsPath + "/item/" + dbus.ObjectPath(key)
}

func (v collection) SearchItems(attributes map[string]string) ([]dbus.ObjectPath, *dbus.Error) {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	path := v.path(v.key(attributes))
	if _, ok := v.s.secrets[string(path)]; !ok {
		return nil, nil
	}
	return []dbus.ObjectPath{path}, nil
}

func (v collection) CreateItem(properties map[string]dbus.Variant, secret held, _ bool) (dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	attributes, _ := properties["org.freedesktop.Secret.Item.Attributes"].Value().(map[string]string)
	path := v.path(v.key(attributes))
	v.s.secrets[string(path)] = secret.Value
	return path, "/", nil
}

func (session) Close() *dbus.Error { return nil }

func (v prompt) Prompt(string) *dbus.Error {
	v.s.asked <- struct{}{}
	return nil
}

func (v item) GetSecret(msg dbus.Message, opened dbus.ObjectPath) (held, *dbus.Error) {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	path, _ := msg.Headers[dbus.FieldPath].Value().(dbus.ObjectPath)
	return held{Session: opened, Value: v.s.secrets[string(path)], Type: "text/plain"}, nil
}

func TestTheKeyringKeepsThePassword(t *testing.T) {
	privateBus(t)
	startSecrets(t, &secretService{})
	roundTrip(t)
}

// roundTrip finds nothing, stores a password, and finds it; then it is remembered
// until it is forgotten.
func roundTrip(t *testing.T) {
	t.Helper()
	p := NewPasswords(Sources{Username: "ana@example.com"})
	_, err := p.Get(t.Context())
	if !errors.Is(err, ErrNoPassword) {
		t.Fatalf("error %v", err)
	}
	for _, place := range []string{PasswordVariable, "configuration file", "keyring", "run notifio password", "ana@example.com"} {
		if !strings.Contains(err.Error(), place) {
			t.Errorf("error %q does not name %q", err, place)
		}
	}
	if err := StorePassword(t.Context(), "ana@example.com", secret); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Get(t.Context()); got != secret || err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	if err := StorePassword(t.Context(), "ana@example.com", "changed"); err != nil {
		t.Fatal(err)
	}
	if got, _ := p.Get(t.Context()); got != secret {
		t.Errorf("asked again: %q", got)
	}
	p.Forget()
	if got, _ := p.Get(t.Context()); got != "changed" {
		t.Errorf("not asked again after it was refused: %q", got)
	}
}

func TestALockedKeyringIsAskedForOnceAndGivenUp(t *testing.T) {
	privateBus(t)
	s := &secretService{locked: true, asked: make(chan struct{}, 9)}
	startSecrets(t, s)
	p := NewPasswords(Sources{Username: "ana", Patience: 100 * time.Millisecond})
	for range 5 {
		if _, err := p.Get(t.Context()); err == nil || errors.Is(err, ErrNoPassword) || !strings.Contains(err.Error(), "is it locked?") {
			t.Fatalf("error %v", err)
		}
	}
	<-s.asked
	if n := len(s.asked); n != 0 {
		t.Errorf("the user was asked %d times more", n)
	}
}

func TestABusThatGoesAwayMeanwhileIsAnError(t *testing.T) {
	privateBus(t)
	s := &secretService{locked: true, asked: make(chan struct{}, 1)}
	startSecrets(t, s)
	got := make(chan error, 1)
	go func() {
		_, err := NewPasswords(Sources{Username: "ana", Patience: time.Minute}).Get(t.Context())
		got <- err
	}()
	<-s.asked
	bus, err := dbus.SessionBus()
	if err != nil {
		t.Fatal(err)
	}
	_ = bus.Close()
	if err := <-got; err == nil || errors.Is(err, ErrNoPassword) {
		t.Errorf("error %v", err)
	}
}

func TestASystemWithoutAKeyringHasNoPassword(t *testing.T) {
	privateBus(t)
	_, err := NewPasswords(Sources{Username: "ana"}).Get(t.Context())
	if !errors.Is(err, ErrNoPassword) || !strings.Contains(err.Error(), "this system has no keyring") {
		t.Errorf("error %v", err)
	}
}

func TestAgainstGnomeKeyring(t *testing.T) {
	path, err := exec.LookPath("gnome-keyring-daemon")
	if err != nil {
		t.Skip("gnome-keyring-daemon is not installed; TestTheKeyringKeepsThePassword asks a fake one the same")
	}
	privateBus(t)
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, home)
	}
	daemon := exec.Command(path, "--foreground", "--unlock", "--components=secrets")
	daemon.Stdin = strings.NewReader("\n")
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
	})
	awaitName(t, "org.freedesktop.secrets")
	roundTrip(t)
}

// awaitName waits until somebody on the bus owns name.
func awaitName(t *testing.T, name string) {
	t.Helper()
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	owners := make(chan *dbus.Signal, 8)
	conn.Signal(owners)
	if err := conn.AddMatchSignal(dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, name)); err != nil {
		t.Fatal(err)
	}
	var owned bool
	if err := conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, name).Store(&owned); err != nil {
		t.Fatal(err)
	}
	for deadline := time.After(20 * time.Second); !owned; {
		select {
		case signal := <-owners: // our own NameAcquired is among them
			owned = signal.Name == "org.freedesktop.DBus.NameOwnerChanged" && signal.Body[0] == name && signal.Body[2] != ""
		case <-deadline:
			t.Fatalf("%s did not appear within 20s", name)
		}
	}
}
