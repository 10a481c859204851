package browser

import (
	"fmt"
	"regexp"
	"strings"

	"notifio.app/notifio/monitor"
)

// netError says what one of Chromium's network errors means to a user.
type netError struct {
	reason string
	// unreachable: this machine is off the network, or cannot find the host there.
	unreachable bool
}

// netErrors names the errors that have words of their own. The names are those
// of Chromium's net/base/net_error_list.h.
var netErrors = map[string]netError{
	"ERR_NAME_NOT_RESOLVED":      {"its name could not be resolved (is this machine online?)", true},
	"ERR_NAME_RESOLUTION_FAILED": {"its name could not be resolved (is this machine online?)", true},
	"ERR_DNS_TIMED_OUT":          {"the name server did not answer", true},
	"ERR_DNS_SERVER_FAILED":      {"the name server failed", true},
	"ERR_DNS_MALFORMED_RESPONSE": {"the name server failed", true},
	"ERR_INTERNET_DISCONNECTED":  {"this machine is not connected to the internet", true},
	"ERR_ADDRESS_UNREACHABLE":    {"there is no route to the site", true},
	"ERR_NETWORK_UNREACHABLE":    {"there is no route to the site", true},
	"ERR_NETWORK_CHANGED":        {"the network changed during the request", true},
	"ERR_NETWORK_IO_SUSPENDED":   {"the machine went to sleep during the request", true},
	"ERR_NETWORK_ACCESS_DENIED":  {"this machine does not let the browser use the network", true},

	"ERR_CONNECTION_RESET":     {reason: "the connection was reset"},
	"ERR_CONNECTION_CLOSED":    {reason: "the site closed the connection without an answer"},
	"ERR_CONNECTION_REFUSED":   {reason: "the site refused the connection"},
	"ERR_CONNECTION_ABORTED":   {reason: "the connection was cut off"},
	"ERR_CONNECTION_FAILED":    {reason: "no connection to the site could be made"},
	"ERR_CONNECTION_TIMED_OUT": {reason: "the site did not answer"},
	"ERR_TIMED_OUT":            {reason: "the site did not answer"},
	"ERR_SOCKET_NOT_CONNECTED": {reason: "the connection was cut off"},
	"ERR_EMPTY_RESPONSE":       {reason: "the site closed the connection without an answer"},
	"ERR_RESPONSE_HEADERS_TRUNCATED": {
		reason: "the site closed the connection in the middle of its answer"},
	"ERR_CONTENT_LENGTH_MISMATCH": {
		reason: "the site closed the connection in the middle of the page"},
	"ERR_INCOMPLETE_CHUNKED_ENCODING": {
		reason: "the site closed the connection in the middle of the page"},
	"ERR_INVALID_RESPONSE":         {reason: "the site's answer was not HTTP"},
	"ERR_INVALID_HTTP_RESPONSE":    {reason: "the site's answer was not HTTP"},
	"ERR_HTTP2_PROTOCOL_ERROR":     {reason: "the site broke off its answer"},
	"ERR_QUIC_PROTOCOL_ERROR":      {reason: "the site broke off its answer"},
	"ERR_CONTENT_DECODING_FAILED":  {reason: "the site's answer could not be decoded"},
	"ERR_TOO_MANY_REDIRECTS":       {reason: "it redirects in a circle"},
	"ERR_UNSAFE_REDIRECT":          {reason: "it redirects to something that is not a web page"},
	"ERR_INVALID_REDIRECT":         {reason: "it redirects to an address that is not valid"},
	"ERR_DISALLOWED_URL_SCHEME":    {reason: "it redirects to something that is not a web page"},
	"ERR_UNKNOWN_URL_SCHEME":       {reason: "it redirects to something that is not a web page"},
	"ERR_UNSAFE_PORT":              {reason: "browsers do not open the port in its address"},
	"ERR_INVALID_URL":              {reason: "its address is not valid"},
	"ERR_BLOCKED_BY_CLIENT":        {reason: "the browser blocked it"},
	"ERR_BLOCKED_BY_ADMINISTRATOR": {reason: "a policy of this machine blocks it"},
	"ERR_PROXY_CONNECTION_FAILED":  {reason: "the proxy of this machine does not answer"},
	"ERR_TUNNEL_CONNECTION_FAILED": {reason: "the proxy of this machine did not let the request through"},
	"ERR_INSUFFICIENT_RESOURCES":   {reason: "this machine ran out of memory or connections"},
	"ERR_OUT_OF_MEMORY":            {reason: "this machine ran out of memory"},
	"ERR_HTTP_RESPONSE_CODE_FAILURE": {
		reason: "it answered with an error and an empty page"},

	"ERR_CERT_AUTHORITY_INVALID": {
		reason: "its certificate is not valid: it is not signed by an authority that this machine trusts (on a public network: open a browser and log in there first)"},
	"ERR_CERT_DATE_INVALID": {
		reason: "its certificate is not valid: it has expired or is not valid yet (is this machine's clock right?)"},
	"ERR_CERT_COMMON_NAME_INVALID": {
		reason: "its certificate is not valid: it belongs to another site"},
	"ERR_CERT_REVOKED":                  {reason: "its certificate is not valid: it has been revoked"},
	"ERR_CERT_WEAK_SIGNATURE_ALGORITHM": {reason: "its certificate is not valid: its signature is too weak"},
	"ERR_CERT_WEAK_KEY":                 {reason: "its certificate is not valid: its key is too weak"},
	"ERR_SSL_PROTOCOL_ERROR":            {reason: "no secure connection could be agreed on"},
	"ERR_SSL_VERSION_OR_CIPHER_MISMATCH": {
		reason: "no secure connection could be agreed on: it offers only outdated encryption"},
	"ERR_BAD_SSL_CLIENT_AUTH_CERT":    {reason: "it asks for a client certificate"},
	"ERR_SSL_CLIENT_AUTH_CERT_NEEDED": {reason: "it asks for a client certificate"},
}

var netErrorName = regexp.MustCompile(`net::(ERR_[A-Z0-9_]+)`)

// explain turns the text of a failed navigation into a verdict with a reason in
// plain words, or says that it is not about the navigation.
func explain(text string) (p monitor.Page, ok bool) {
	if strings.Contains(text, "Download is starting") {
		return monitor.Page{Verdict: monitor.NotResults, Reason: "it answers with a file to download, not with a page"}, true
	}
	m := netErrorName.FindStringSubmatch(text)
	if m == nil {
		return monitor.Page{}, false
	}
	name := m[1]
	if name == "ERR_ABORTED" {
		return monitor.Page{Verdict: monitor.NotResults, Reason: "it answers without a page to show"}, true
	}
	known, ok := netErrors[name]
	switch {
	case ok:
	case strings.HasPrefix(name, "ERR_CERT_"):
		known.reason = fmt.Sprintf("its certificate is not valid (%s)", name)
	default:
		known.reason = fmt.Sprintf("it could not be loaded (%s)", name)
	}
	return monitor.Page{Verdict: monitor.Failed, Reason: known.reason, Unreachable: known.unreachable}, true
}
