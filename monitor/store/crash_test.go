package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

// crashDir makes this test binary the victim of TestKilledAtAnyMoment.
const crashDir = "NOTIFIO_STORE_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		if err := saveForEver(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// numbered is a change whose parts all carry n.
func numbered(n int) monitor.Change {
	key := fmt.Sprint(n)
	return monitor.Change{
		Records:  []monitor.Record{{Search: "s", Half: n, Baseline: page(n)}},
		Known:    []monitor.Known{{Search: "s", Key: key}},
		Alerts:   []monitor.Alert{{ID: key, Listing: monitor.Listing{Key: key}}},
		Messages: []monitor.Message{{ID: key, Raw: []byte(key)}},
		Sent:     []string{fmt.Sprint(n - 1)},
	}
}

// saveForEver saves one numbered change after another, from the first that is
// missing, says each number once it is saved, and makes backups meanwhile.
func saveForEver(dir string) error {
	ctx := context.Background()
	o, err := Open(ctx, dir, noon)
	if err != nil || len(o.Notes) > 0 {
		return fmt.Errorf("open: %q, %w", o.Notes, err)
	}
	next := 1
	if len(o.Memory.Records) > 0 {
		next = o.Memory.Records[0].Half + 1
	}
	fmt.Println(next - 1)
	go func(day int) {
		for ; ; day++ {
			if err := o.Store.Backup(ctx, noon.AddDate(0, 0, day)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}(next)
	for ; ; next++ {
		if err := o.Store.Save(ctx, numbered(next)); err != nil {
			return err
		}
		fmt.Println(next)
	}
}

// runAndKill lets a victim save until it has said so many numbers, kills it in
// whatever it is doing then, and returns the last number that it had said.
func runAndKill(t *testing.T, dir string, after int) int {
	t.Helper()
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), crashDir+"="+dir)
	var complaints strings.Builder
	victim.Stderr = &complaints
	out, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	last, lines := 0, bufio.NewScanner(out)
	for said := 0; lines.Scan(); said++ {
		if last, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatal(err)
		}
		if said == after {
			if err := victim.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := victim.Wait(); err == nil || complaints.Len() > 0 {
		t.Fatalf("the victim was not simply killed: %v, %s", err, &complaints)
	}
	return last
}

func TestKilledAtAnyMoment(t *testing.T) {
	dir := t.TempDir()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 6 {
		acknowledged := runAndKill(t, dir, random.IntN(40))
		o := openQuietly(t, dir)
		n := 0
		if len(o.Memory.Records) > 0 {
			n = o.Memory.Records[0].Half
		}
		if n < acknowledged || n > acknowledged+1 {
			t.Fatalf("%d was acknowledged, %d is there", acknowledged, n)
		}
		if n > 0 {
			want := numbered(n)
			same(t, "record", o.Memory.Records, want.Records)
			same(t, "message", o.Memory.Messages, want.Messages)
		}
		if len(o.Memory.Alerts) != n {
			t.Errorf("%d alerts after change %d", len(o.Memory.Alerts), n)
		}
		var all []monitor.Listing
		for i := range n + 2 {
			all = append(all, monitor.Listing{Key: fmt.Sprint(i)})
		}
		r := recall(t, o.Store, "s", all...)
		for i, l := range all {
			_, known := r.Known[l.Key]
			if there := i > 0 && i <= n; known != there || (len(r.Alerts[l.Key]) == 1) != there {
				t.Errorf("of change %d of %d there is %v, %v", i, n, known, r.Alerts[l.Key])
			}
		}
		// What was read of the file and its WAL is what SQLite reads there.
		same(t, "memory", rowsOf(t, o.Store.memory), rowsOf(t, o.Store.disk))
		for _, path := range o.Store.place.backups(noon.AddDate(10, 0, 0)) {
			if err := good(t.Context())(path); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		o.Store.Close()
	}
}
