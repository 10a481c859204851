package browser

import (
	"net/url"
	"testing"
)

func TestReaderVersionFollowsItsOwnPortalAlone(t *testing.T) {
	page := &url.URL{Scheme: "https", Host: "www.funda.nl"}
	version := func(change string) string {
		r := testReader(t)
		for i := range r.portals {
			if r.portals[i].Name == change {
				r.portals[i].Promoted = append(r.portals[i].Promoted, ".paid-anew")
			}
		}
		return r.version(r.portal(page))
	}
	same := version("")
	if again := version(""); again != same {
		t.Errorf("%s, and read again %s", same, again)
	}
	if version("funda") == same {
		t.Error("another definition of the portal has the same version")
	}
	if version("daft") != same {
		t.Error("another definition of another portal has another version")
	}
	if r := testReader(t); r.version(nil) == same {
		t.Error("without a definition the version is the same as with one")
	}
}
