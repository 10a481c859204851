package tray

import (
	"encoding/xml"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"notifio.app/notifio/monitor"
)

// evilTexts are what pages, mail servers and files may hold, in the place of any name.
var evilTexts = []string{
	`<script>alert(1)</script>`, `<b>bold</b> & <a href="x">`, "a\r\nBcc: eve@example.com", "]]> <![CDATA[", "$(touch x) `touch x` ${HOME}",
	"\u202Egnp.exe\u202C \u2066x\u2069 \u200F", strings.Repeat("x", 10_000), strings.Repeat("🏠", 300), "Rooms_&_flats",
	`Top_Lage [WBS] <3 Zi.> & "Süd" $(x) ]]> *`, "\x00 \x1b[2J\x1b]0;owned\x07 \u009b31m", "\xff\xfe", "\u2028x\u2029", "1.200\u00a0€", "%s %n %d", "'; rm -rf ~; '", `"@`, " ",
}

// plain fails unless s is one short line that every system takes as text.
func plain(t *testing.T, what, s string) {
	t.Helper()
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || invisible(r) || r == '\u00a0' }) || utf8.RuneCountInString(s) > 400 {
		t.Errorf("%s: %.200q", what, s)
	}
}

// Whatever a banner is to say, what reaches a desktop is text: to Windows as XML, and to
// macOS as AppleScript.
func TestBannersOfEveryTextAreText(t *testing.T) {
	for _, evil := range evilTexts {
		b := tidy(monitor.Banner{Title: evil, Body: evil + "\n" + evil, URL: "https://x.example/?q=" + evil})
		plain(t, "title", b.Title)
		for line := range strings.SplitSeq(b.Body, "\n") {
			plain(t, "body", line)
		}
		if b.URL != "" && !strings.HasPrefix(b.URL, "https://x.example/") {
			t.Errorf("link %q", b.URL)
		}
		var toast struct {
			Texts []string `xml:"visual>binding>text"`
		}
		if err := xml.Unmarshal([]byte(toastXML(b)), &toast); err != nil || len(toast.Texts) != 2 || toast.Texts[0] != b.Title || toast.Texts[1] != b.Body {
			t.Errorf("toast of %.100q reads as %.100q, %v", b.Title, toast.Texts, err)
		}
		script := strconv.Quote(printable(b.Title))
		for _, escape := range []string{`\u`, `\x`, `\U`, `\a`, `\b`, `\t`} {
			if strings.Contains(strings.ReplaceAll(script, `\\`, ""), escape) {
				t.Errorf("AppleScript would read %.100s", script)
			}
		}
	}
}

// A line of the terminal stays one line, and moves no cursor.
func TestTerminalLinesStayLines(t *testing.T) {
	for _, evil := range evilTexts {
		s := said{since: noon.Add(-1)}
		v := hostile()
		v.Rows[0].Name, v.Rows[0].Text, v.Rows[0].Reason = evil, evil, evil
		v.Troubles = []monitor.Trouble{{Source: "mail", Text: evil}}
		v.Recent = []monitor.Alert{{ID: "x", Found: noon, Doubt: evil, Listing: monitor.Listing{Title: evil, Address: evil, URL: "https://x.example/" + evil, Price: monitor.Price{Text: evil}}}}
		lines := s.lines(v, noon)
		lines = append(lines, s.lines(monitor.View{Phase: monitor.Watching}, noon)...) // the troubles end
		if len(lines) < 4 {
			t.Errorf("only %q", lines)
		}
		for _, line := range lines {
			if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) || invisible(r) }) {
				t.Errorf("%.200q", line)
			}
		}
	}
}

// Labels do not grow with what they name: a menu that once was wide stays wide.
func TestLabelsHaveAWidthOfTheirOwn(t *testing.T) {
	for _, evil := range evilTexts {
		v := hostile()
		v.Rows[0].Name, v.Rows[0].Text, v.Recent[0].Listing.Title, v.Recent[0].Listing.Address = evil, evil, evil, evil
		for _, it := range flatten(Menu(v, noon, Offer{}).Items) {
			if n := utf8.RuneCountInString(it.Label); n > 160 {
				t.Errorf("label of %d characters: %.60q", n, it.Label)
			}
		}
	}
}

// A banner is never shown by way of a shell, which would carry out what a portal
// wrote; and nothing here uses the bus connection that the tray library closes.
func TestNoShellAndNoSharedBus(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			if strings.Contains(path, "beeep") && name != "notify_darwin.go" || strings.HasSuffix(path, "/go-toast") {
				t.Errorf("%s imports %s", name, path)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if from, ok := s.X.(*ast.Ident); ok && (s.Sel.Name == "PowershellFallback" || from.Name == "dbus" && (s.Sel.Name == "SessionBus" || s.Sel.Name == "SystemBus")) {
					t.Errorf("%s uses %s.%s", name, from.Name, s.Sel.Name)
				}
			}
			return true
		})
	}
}
