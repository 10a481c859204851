package mail

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/monitor"
)

// hostile are texts as a careless or malicious page may write them.
var hostile = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	"line\r\nBcc: eve@example.com\r\n\r\n<b>body</b>",
	"line\nBcc: eve@example.com",
	"lone\rreturn",
	"]]> and <![CDATA[",
	"$(touch /tmp/x) `touch /tmp/x` ${HOME} %s %n",
	"\u202Egnp.exe\u202C and \u2066isolated\u2069 and \u200Fmark",
	strings.Repeat("x", 10_000),
	strings.Repeat("word ", 2_000),
	strings.Repeat("🏠", 150),
	strings.Repeat("👩‍👩‍👧‍👦", 60),
	"Zalgo" + strings.Repeat("\u0301", 500),
	`Top_Lage [WBS] <3 Zi.> & "Süd" $(x) ]]> *`,
	`Exposé „Süd".pdf`,
	strings.Repeat("Schöne Wohnung für Üben ", 13), // 300 characters, many of two octets
	"Tom & Jerry's_Top_Lage [WBS] <3 Zi.> \"Süd\" *",
	"{{.Footer}} {{template \"x\"}}",
	"\x00nul \x07bell \x1b[31mescape\x7f",
	"broken \xff\xfe utf-8 \xc3",
	"=?UTF-8?Q?=0D=0ABcc:_eve@example.com?=",
	"\u2028separator\u2029",
	".",
	"\r\n.\r\nMAIL FROM:<eve@example.com>",
	"javascript:alert(1)",
	"שלום, דירה חדשה",
	"",
	"   ",
}

// everywhere puts one text into every field that a page or a user fills.
func everywhere(s string) monitor.Letter {
	a := monitor.Alert{
		ID: s, Kind: monitor.New, Searches: []string{s, "Centrum"}, Doubt: s, Found: evening, Away: time.Hour,
		Was: monitor.Price{Amount: 1500, Currency: s, Period: monitor.Period(s), Text: s},
		Listing: monitor.Listing{
			Key: s, ID: s, URL: s, Title: s, Address: s, Photo: s, AreaM2: 20, Rooms: 2,
			Price: monitor.Price{Amount: 1400, Currency: s, Period: monitor.Period(s), Text: s},
		},
	}
	b := studio()
	b.Listing.URL, b.Listing.Photo = "https://example.com/?q="+s, "https://example.com/"+s
	return monitor.Letter{ID: s, To: "reader@example.com", Alerts: []monitor.Alert{a, b}}
}

// headers are the fields that every message has, in their order.
var headers = []string{"From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type"}

// sound checks that raw is one message, with our headers and no others, of short
// lines, with the two parts and with nothing that runs or leads astray.
func sound(t *testing.T, raw []byte) {
	t.Helper()
	head, _, found := bytes.Cut(raw, []byte("\r\n\r\n"))
	if !found {
		t.Fatalf("no header in %q", raw)
	}
	var names []string
	for line := range strings.SplitSeq(string(head), "\r\n") {
		if line[0] != ' ' {
			name, _, _ := strings.Cut(line, ":")
			names = append(names, name)
		}
	}
	if !slices.Equal(names, headers) {
		t.Errorf("headers %q", names)
	}
	for line := range bytes.SplitSeq(raw, []byte("\r\n")) {
		if len(line) > 998 || bytes.ContainsAny(line, "\r\n\x00") || bytes.ContainsFunc(line, func(r rune) bool { return r > '~' || r < ' ' && r != '\t' }) {
			t.Errorf("line of %d octets: %.100q", len(line), line)
		}
	}
	parsed, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"From", "To"} {
		if list, err := parsed.Header.AddressList(field); err != nil || len(list) != 1 {
			t.Errorf("%s: %q, %v", field, parsed.Header.Get(field), err)
		}
	}
	if id := parsed.Header.Get("Message-Id"); !regexp.MustCompile(`^<[!-~]+@[!-~]+>$`).MatchString(id) {
		t.Errorf("Message-ID %q", id)
	}
	m := inbox.Message{Raw: raw}
	harmless(t, "subject", m.Subject())
	if n := utf8.RuneCountInString(m.Subject()); n > 150 || n == 0 {
		t.Errorf("subject of %d characters", n)
	}
	for line := range strings.SplitSeq(m.Text(), "\n") {
		harmless(t, "text", strings.TrimSuffix(line, "\r"))
	}
	safeHTML(t, m.HTML())
	twoParts(t, parsed)
}

// harmless checks one line of text for what would break or hide it.
func harmless(t *testing.T, where, s string) {
	t.Helper()
	if !utf8.ValidString(s) || strings.ContainsAny(s, "\r\n\x00\x1b\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u2028\u2029") {
		t.Errorf("%s: %.200q", where, s)
	}
}

var (
	tag       = regexp.MustCompile(`<[^>]*>`)
	linked    = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	forbidden = regexp.MustCompile(`(?i)^<(script|iframe|object|embed|form|svg|base|link)|\son\w+\s*=`)
)

func safeHTML(t *testing.T, html string) {
	t.Helper()
	for _, found := range tag.FindAllString(html, -1) {
		if forbidden.MatchString(found) {
			t.Errorf("tag %q", found)
		}
		for _, link := range linked.FindAllStringSubmatch(found, -1) {
			if !strings.HasPrefix(link[1], "https://") && !strings.HasPrefix(link[1], "http://") {
				t.Errorf("link %q", link[1])
			}
		}
	}
	if strings.Contains(html, "ZgotmplZ") {
		t.Error("a link that the template had to refuse")
	}
}

func twoParts(t *testing.T, parsed *mail.Message) {
	t.Helper()
	_, params, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for parts := multipart.NewReader(parsed.Body, params["boundary"]); ; n++ {
		part, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(part); err != nil {
			t.Fatal(err)
		}
	}
	if n != 2 {
		t.Errorf("%d parts", n)
	}
}

func TestHostileTexts(t *testing.T) {
	for _, text := range hostile {
		raw, err := compose(everywhere(text), sender{name: clean(text), address: "ana@example.com"}, evening)
		if err != nil {
			t.Errorf("%.60q: %v", text, err)
			continue
		}
		sound(t, raw)
		if t.Failed() {
			t.Fatalf("with %.200q", text)
		}
	}
}

func TestWhatIsMeantAsTextIsReadAsText(t *testing.T) {
	for _, text := range []string{`<script>alert(1)</script>`, `Top_Lage [WBS] <3 Zi.> & "Süd" $(x) ]]> *`, `Exposé „Süd".pdf`, "Tom & Jerry's_Top_Lage [WBS] <3 Zi.> \"Süd\" *", "$(x) `y` ]]>", "שלום, דירה חדשה", "=? a ?="} {
		l := letter()
		l.Alerts[0].Listing.Title = text
		raw, err := compose(l, ana, evening)
		if err != nil {
			t.Fatal(err)
		}
		m := inbox.Message{Raw: raw}
		if !strings.Contains(m.Text(), text) || !strings.Contains(strings.ReplaceAll(m.Subject(), "= ?", "=?"), text) {
			t.Errorf("%q became %q, and in the subject %q", text, m.Text(), m.Subject())
		}
	}
}

func FuzzCompose(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		raw, err := compose(everywhere(text), sender{name: clean(text), address: "ana@example.com"}, evening)
		if err != nil {
			t.Fatal(err)
		}
		sound(t, raw)
	})
}

func TestALetterThatSaysNothingIsNotSent(t *testing.T) {
	in := inbox.Start(t, inbox.Options{})
	l := letter()
	l.Alerts = nil
	judge(t, mustServer(t, account(in, TLSAuto)).Deliver(t.Context(), l, new(sealed).seal), monitor.MessageRefused, "says nothing")
	judge(t, NewFolder(t.TempDir()).Deliver(t.Context(), l, new(sealed).seal), monitor.MessageRefused, "says nothing")
	if n := len(in.State().Connections); n != 0 {
		t.Errorf("%d connections", n)
	}
}
