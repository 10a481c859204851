package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The files beside this program are what it draws today: whoever changes a
// picture has to run `go generate ./assets`.
func TestIconFilesAreUpToDate(t *testing.T) {
	dir := t.TempDir()
	if err := drawAll(dir); err != nil {
		t.Fatal(err)
	}
	drawn, err := os.ReadDir(dir)
	if err != nil || len(drawn) == 0 {
		t.Fatalf("nothing was drawn: %v", err)
	}
	for _, f := range drawn {
		want, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", f.Name()))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date (%v): run `go generate ./assets`", f.Name(), err)
		}
	}
}
