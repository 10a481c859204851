package portal

import (
	"errors"
	"net/http"
	"syscall"
	"testing"
	"time"
)

func TestResetIsAResetForTheBrowsersNextTriesToo(t *testing.T) {
	p := Start(t)
	p.ownTries = time.Hour // this test may be held up
	s := p.Host("a").Search("/rooms").Next(Reset)
	for n := range 3 {
		if _, err := p.Client().Get(s.URL()); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("try %d: error %v", n, err)
		}
	}
	s.Show(1)
	res, err := p.Client().Get(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("after the reset: status %d", res.StatusCode)
	}
	if all := p.Requests("a"); len(all) != 2 || all[0].Served != "reset" || all[1].Served != "page" {
		t.Errorf("recorded: %v", all)
	}
}
