package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

var then = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// folder makes a folder to be packed, with the times of this moment.
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "notifio-1.4.0")
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"notifio": 0o755, "README.md": 0o600, "sub/b": 0o644} {
		if err := os.WriteFile(filepath.Join(dir, name), bytes.Repeat([]byte(name), 1000), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// contents are the files of an archive: mode, name, time and length.
func contents(t *testing.T, name string) (files []string) {
	t.Helper()
	say := func(mode os.FileMode, file string, at time.Time, size int64) {
		files = append(files, fmt.Sprintf("%v %s %s %d", mode, file, at.UTC().Format(time.DateTime), size))
	}
	if filepath.Ext(name) == ".zip" {
		z, err := zip.OpenReader(name)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for _, f := range z.File {
			say(f.Mode(), f.Name, f.Modified, int64(f.UncompressedSize64))
		}
		return files
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		say(h.FileInfo().Mode(), h.Name, h.ModTime, h.Size)
	}
}

func TestSameFolderGivesTheSameArchive(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system's files do not say whether they are programs")
	}
	want := []string{
		"-rw-r--r-- notifio-1.4.0/README.md 2026-11-30 12:00:00 9000",
		"-rwxr-xr-x notifio-1.4.0/notifio 2026-11-30 12:00:00 7000",
		"-rw-r--r-- notifio-1.4.0/sub/b 2026-11-30 12:00:00 5000",
	}
	for _, ending := range []string{".zip", ".tar.gz"} {
		var packed [2][]byte
		for i := range packed {
			name := filepath.Join(t.TempDir(), "out"+ending)
			if err := pack(name, folder(t), then); err != nil {
				t.Fatal(err)
			}
			if got := contents(t, name); !slices.Equal(got, want) {
				t.Errorf("%s holds %q, want %q", ending, got, want)
			}
			packed[i], _ = os.ReadFile(name)
		}
		if !bytes.Equal(packed[0], packed[1]) {
			t.Errorf("%s: two archives of the same files differ", ending)
		}
	}
}

func TestPackRefusesWhatItCannotDo(t *testing.T) {
	dir := t.TempDir()
	if err := pack(filepath.Join(dir, "out.rar"), folder(t), then); err == nil {
		t.Error("an unknown kind of archive was made")
	}
	if err := pack(filepath.Join(dir, "out.zip"), filepath.Join(dir, "nowhere"), then); err == nil {
		t.Error("a folder that is not there was packed")
	}
}
