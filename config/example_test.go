package config

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

func example(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../notifio.toml.example")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestExampleRunsTheDemo(t *testing.T) {
	c := parse(t, example(t))
	if len(c.Warnings) > 0 || len(c.Searches) != 1 || c.Searches[0].URL != "demo:amsterdam" || !c.Searches[0].Enabled {
		t.Errorf("searches %+v, warnings %v", c.Searches, c.Warnings)
	}
	if c.Poll != (Poll{30 * time.Second, 5 * time.Second}) || c.Mail != nil || !c.Notify.Banner {
		t.Errorf("%+v %+v %+v", c.Poll, c.Mail, c.Notify)
	}
}

func TestExampleTakesARealSearchBesideTheDemo(t *testing.T) {
	const search = "[[search]]\nname = \"Mine\"\nurl = \"https://www.example.com/rent?city=amsterdam\"\n"
	for where, text := range map[string]string{
		"above": search + "\n" + example(t),
		"below": example(t) + "\n" + search,
	} {
		if c := parse(t, text); len(c.Searches) != 2 {
			t.Errorf("%s: %+v", where, c.Searches)
		}
	}
}

// option is a line of the example that a user makes work by removing its #.
var option = regexp.MustCompile(`^#(\[|[a-z_]+ = )`)

// TestExampleLinesWorkWithoutTheirMark removes the # from each option: alone
// where it stands in a table that works already, else with its whole block.
func TestExampleLinesWorkWithoutTheirMark(t *testing.T) {
	lines := strings.Split(example(t), "\n")
	tried := 0
	for i := 0; i < len(lines); i++ {
		if !option.MatchString(lines[i]) {
			continue
		}
		end := i + 1
		if strings.HasPrefix(lines[i], "#[") {
			for end < len(lines) && option.MatchString(lines[end]) {
				end++
			}
		} else if strings.HasPrefix(lines[i], "#quiet_") { // one does nothing without the others
			for end < len(lines) && strings.HasPrefix(lines[end], "#quiet_") {
				end++
			}
		}
		tried += end - i
		if c := parse(t, unmark(lines, i, end)); len(c.Warnings) > 0 {
			t.Errorf("line %d: %v", i+1, c.Warnings)
		}
		i = end - 1
	}
	if marked := strings.Count(strings.Join(lines, "\n"), "\n#") - strings.Count(strings.Join(lines, "\n"), "\n# ") - strings.Count(strings.Join(lines, "\n"), "\n#\n"); tried != marked || tried < 25 {
		t.Errorf("%d options tried of %d", tried, marked)
	}
}

func unmark(lines []string, from, to int) string {
	out := append([]string(nil), lines...)
	for i := from; i < to; i++ {
		out[i] = strings.TrimPrefix(out[i], "#")
	}
	return strings.Join(out, "\n")
}

func TestExampleWorksWithEverythingOn(t *testing.T) {
	lines := strings.Split(example(t), "\n")
	seen := map[string]bool{}
	for i := 0; i < len(lines); i++ {
		if !option.MatchString(lines[i]) || seen[lines[i]] {
			continue // the second [mail] and [browser] are alternatives
		}
		if strings.HasPrefix(lines[i], "#[") {
			seen[lines[i]] = true
		} else if strings.HasPrefix(lines[i], "#folder") || strings.HasPrefix(lines[i], "#endpoint") {
			continue
		}
		lines[i] = strings.TrimPrefix(lines[i], "#")
	}
	c := parse(t, strings.Join(lines, "\n"))
	if c.Mail == nil || c.Mail.Host != "smtp.gmail.com" || c.Notify.Quiet.From == 0 || len(c.Searches) != 2 || c.Browser.Executable == "" {
		t.Errorf("%+v", c)
	}
}
