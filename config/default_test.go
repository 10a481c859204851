package config

import (
	"reflect"
	"testing"
)

func TestDefaultIsAFileThatSaysNothing(t *testing.T) {
	c, err := Parse("notifio.toml", []byte("[[search]]\nname = \"Demo\"\nurl = \"demo:amsterdam\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{Poll: c.Poll, Browser: c.Browser, Notify: c.Notify}
	if got := Default(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
