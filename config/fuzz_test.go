package config

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// FuzzParse: whatever the file holds, Parse ends, and returns either a whole
// configuration or problems that each have a line of the file and one line of
// text.
func FuzzParse(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("notifio.toml", data)
		if err == nil {
			if len(c.Searches) == 0 || c.Poll.Interval <= 0 || c.Poll.Jitter < 0 || c.Browser.ParallelHosts < 1 || c.Notify.Quiet.Zone == nil {
				t.Errorf("half a configuration: %+v", c)
			}
			return
		}
		var ps Problems
		if !errors.As(err, &ps) || len(ps) == 0 || c.Searches != nil {
			t.Fatalf("%T %v", err, err)
		}
		last := 0
		for _, p := range ps {
			if p.Line < last || p.Line > strings.Count(string(data), "\n")+1 || p.Text == "" || strings.ContainsAny(p.Text, "\n\r\x00") {
				t.Errorf("%+v", p)
			}
			last = p.Line
		}
	})
}

// FuzzLines: the forward scan finds every value that the decoder finds, on a
// line that exists, and looks at every text without harm.
func FuzzLines(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxSize {
			return
		}
		lines, tooDeep := linesOf(text)
		if tooDeep > 0 {
			return
		}
		doc := map[string]any{}
		if _, err := toml.Decode(text, &doc); err != nil || strings.HasPrefix(text, "\ufeff") || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			return
		}
		for p := range paths("", doc) {
			if n := lines[p]; n < 1 || n > strings.Count(text, "\n")+1 {
				t.Errorf("%q is in line %d", p, n)
			}
		}
	})
}

// paths are those of all values in v.
func paths(p path, v any) map[path]bool {
	out := map[path]bool{}
	add := func(q path, v any) {
		out[q] = true
		for r := range paths(q, v) {
			out[r] = true
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			add(p.key(k), e)
		}
	case []map[string]any:
		for i, e := range v {
			add(p.index(i), e)
		}
	case []any:
		for i, e := range v {
			add(p.index(i), e)
		}
	}
	return out
}

func seeds(tb testing.TB) []string {
	tb.Helper()
	data, err := os.ReadFile("testdata/mistakes.txt")
	if err != nil {
		tb.Fatal(err)
	}
	example, err := os.ReadFile("../notifio.toml.example")
	if err != nil {
		tb.Fatal(err)
	}
	out := []string{
		badPortals, one + "[[portal]]\nname = 1\nlisting = 'x'\n",
		string(example), one, "\ufeff" + one, "\xff\xfea\x00", strings.Repeat("[", 5000), strings.Repeat("a.", 3000) + "b=1",
		"a = " + strings.Repeat("[", 2000) + strings.Repeat("]", 2000), strings.Repeat("x", maxSize+1), "\"\\u0061\".'b c'.\"\" = 1\n[\"a\".x]\n[[q.\"r.s\"]]\n",
		"a = \"\"\"x\\\"\"\"\"\"\"\nb = '''y'''''\nc = 1\n", "[[a]]\n[[a.b]]\n[a.b.c]\nx=1\n[[a.b]]\n[[a]]\n[[a.b]]\ny = [{z=[1,\n2]}, {}]\n",
		"s = [ # x\n \"a#]\", 'b]' , # y ]\n]\n", "d = 1979-05-27 07:32:00\ne = {f.g = 1, h = {i = 'j'}}\n",
	}
	for _, c := range strings.Split(string(data), "\n=== ")[1:] {
		_, rest, _ := strings.Cut(c, "\n")
		text, _, _ := strings.Cut(rest, "\n--- says\n")
		out = append(out, text)
	}
	return out
}

func TestLinesOfNestedValues(t *testing.T) {
	lines, _ := linesOf("# one\n[[a]]\nx = '''\n\n'''\ny = [ # ]\n 1,\n {z =\n2}]\n[[a]]\nx = 1\n[a.b]\n\"q\\u0041\" = 1\n[[a.c]]\nd.e = \"\"\"\n\"\"\"\"\"\nf = 1\n")
	at := func(parts ...any) path {
		p := path("")
		for _, part := range parts {
			switch part := part.(type) {
			case string:
				p = p.key(part)
			case int:
				p = p.index(part)
			}
		}
		return p
	}
	for _, c := range []struct {
		p    path
		line int
	}{
		{at("a"), 2}, {at("a", 0), 2}, {at("a", 0, "x"), 3}, {at("a", 0, "y"), 6}, {at("a", 0, "y", 0), 7}, {at("a", 0, "y", 1), 8},
		{at("a", 0, "y", 1, "z"), 8}, {at("a", 1), 10}, {at("a", 1, "x"), 11}, {at("a", 1, "b"), 12}, {at("a", 1, "b", "qA"), 13},
		{at("a", 1, "c", 0), 14}, {at("a", 1, "c", 0, "d"), 15}, {at("a", 1, "c", 0, "d", "e"), 15}, {at("a", 1, "c", 0, "f"), 17},
	} {
		if lines[c.p] != c.line {
			t.Errorf("%s is in line %d, not %d", strconv.Quote(string(c.p)), lines[c.p], c.line)
		}
	}
}

// TestCutAtEveryByte cuts a full file short everywhere: an error, or a legal file
// whose searches are the first ones of the whole, which the watcher, who knows the
// whole, does not take at once. At the start of the program nobody knows it.
func TestCutAtEveryByte(t *testing.T) {
	whole := searches(3, "https://example.com/") + "[mail]\nhost = \"smtp.example.com\"\nfrom = \"a@example.com\"\nto = [\n  \"b@example.com\",\n]\n[poll]\ninterval = \"30s\"\n"
	full := parse(t, whole)
	for i := range len(whole) {
		c, err := Parse("notifio.toml", []byte(whole[:i]))
		if err != nil {
			continue
		}
		for j, s := range c.Searches {
			if j < len(c.Searches)-1 && s.URL != full.Searches[j].URL {
				t.Errorf("cut at %d: search %d is %+v", i, j, s)
			}
		}
		if lost(full.Searches, c.Searches) != nil && cutOff([]byte(whole), []byte(whole[:i])) == notCut {
			t.Errorf("cut at %d: searches are lost unnoticed", i)
		}
	}
}
