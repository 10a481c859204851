package browser

import (
	"testing"

	"notifio.app/notifio/monitor"
)

func TestExplainNamesTheCause(t *testing.T) {
	const goTo = "playwright: Page.goto: "
	for _, c := range []struct {
		text        string
		verdict     monitor.Verdict
		reason      string
		unreachable bool
	}{
		{goTo + "net::ERR_NAME_NOT_RESOLVED at https://x.example/", monitor.Failed, "its name could not be resolved (is this machine online?)", true},
		{goTo + "net::ERR_INTERNET_DISCONNECTED at https://x.example/", monitor.Failed, "this machine is not connected to the internet", true},
		{goTo + "net::ERR_ADDRESS_UNREACHABLE at https://x.example/", monitor.Failed, "there is no route to the site", true},
		{goTo + "net::ERR_NETWORK_CHANGED at https://x.example/", monitor.Failed, "the network changed during the request", true},
		{goTo + "net::ERR_CONNECTION_RESET at https://x.example/", monitor.Failed, "the connection was reset", false},
		{goTo + "net::ERR_CONNECTION_REFUSED at https://x.example/", monitor.Failed, "the site refused the connection", false},
		{goTo + "net::ERR_CONNECTION_TIMED_OUT at https://x.example/", monitor.Failed, "the site did not answer", false},
		{goTo + "net::ERR_CERT_DATE_INVALID at https://x.example/", monitor.Failed, "its certificate is not valid: it has expired or is not valid yet (is this machine's clock right?)", false},
		{goTo + "net::ERR_CERT_SOMETHING_NEW at https://x.example/", monitor.Failed, "its certificate is not valid (ERR_CERT_SOMETHING_NEW)", false},
		{goTo + "net::ERR_SOMETHING_NEW at https://x.example/", monitor.Failed, "it could not be loaded (ERR_SOMETHING_NEW)", false},
		{goTo + "net::ERR_ABORTED at https://x.example/", monitor.NotResults, "it answers without a page to show", false},
		{goTo + "Download is starting", monitor.NotResults, "it answers with a file to download, not with a page", false},
	} {
		p, ok := explain(c.text)
		if !ok || p.Verdict != c.verdict || p.Reason != c.reason || p.Unreachable != c.unreachable {
			t.Errorf("%s: got %v, %s, %q, unreachable %v", c.text, ok, p.Verdict, p.Reason, p.Unreachable)
		}
	}
}

func TestExplainLeavesOtherErrorsAlone(t *testing.T) {
	for _, text := range []string{"Connection closed", "Target page, context or browser has been closed", "ReferenceError: x is not defined"} {
		if p, ok := explain(text); ok {
			t.Errorf("%s: explained as %q", text, p.Reason)
		}
	}
}

// Only what says that this machine is off the network may look like being offline.
func TestOnlyALostNetworkIsUnreachable(t *testing.T) {
	unreachable := map[string]bool{
		"ERR_NAME_NOT_RESOLVED": true, "ERR_NAME_RESOLUTION_FAILED": true, "ERR_DNS_TIMED_OUT": true,
		"ERR_DNS_SERVER_FAILED": true, "ERR_DNS_MALFORMED_RESPONSE": true, "ERR_INTERNET_DISCONNECTED": true,
		"ERR_ADDRESS_UNREACHABLE": true, "ERR_NETWORK_UNREACHABLE": true, "ERR_NETWORK_CHANGED": true,
		"ERR_NETWORK_IO_SUSPENDED": true, "ERR_NETWORK_ACCESS_DENIED": true,
	}
	for name, e := range netErrors {
		if e.unreachable != unreachable[name] {
			t.Errorf("%s: unreachable %v", name, e.unreachable)
		}
		if e.reason == "" {
			t.Errorf("%s has no words", name)
		}
	}
}
