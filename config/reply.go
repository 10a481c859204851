package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"notifio.app/notifio/monitor"
)

// The defaults of a recipe, and what it may ask for at most.
const (
	leastDelay   = 20 * time.Second
	mostDelay    = 90 * time.Second
	longestDelay = time.Hour
	usualReplies = 5
	mostReplies  = 50
)

// replies reads every [[reply]], and looks whether each one that a search names is
// there.
func (c *checker) replies(doc map[string]any, searches []monitor.Search) []monitor.Recipe {
	var out []monitor.Recipe
	names := map[string]int{}
	for i, values := range c.many(doc, "reply") {
		t := table{checker: c, name: "reply", path: path("").key("reply").index(i), values: values}
		t.label = "reply " + strconv.Itoa(i+1) + ":"
		if name, ok := values["name"].(string); ok && strings.TrimSpace(name) != "" {
			t.label = "reply " + quote(strings.TrimSpace(name)) + ":"
		}
		if values == nil {
			continue
		}
		r := t.recipe()
		if first, taken := names[r.Name]; taken && r.Name != "" {
			t.wrongAt("name", "has the same name as the reply in line %d: change or remove one of them", first)
		}
		names[r.Name] = t.lines[t.path]
		out = append(out, r)
	}
	for i, s := range searches {
		if _, there := names[s.Reply]; s.Reply != "" && !there && !c.partial {
			c.wrong(c.lines[path("").key("search").index(i).key("reply")], "search %s: there is no [[reply]] with the name %s: %s",
				quote(s.Name), quote(s.Reply), known(names))
		}
	}
	return out
}

func known(names map[string]int) string {
	if len(names) == 0 {
		return "write one, or remove this line"
	}
	return "there are " + strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}

func (t table) replyName() string {
	name, given := t.text("reply")
	if given && name == "" {
		t.wrongAt("reply", "reply is empty: write the name of a [[reply]], or remove the line")
	}
	return name
}

func (t table) recipe() monitor.Recipe {
	t.reportUnknown()
	r := monitor.Recipe{
		Name: t.required("name"), Host: t.replyHost(), Message: t.message(), Steps: t.steps(),
		Success: t.required("success"), Mode: t.mode(), DailyLimit: usualReplies,
	}
	r.Price, _ = t.text("price")
	r.DelayLeast, r.DelayMost = t.delay()
	if n, given := t.whole("daily_limit", 1, mostReplies); given {
		r.DailyLimit = n
	}
	t.compose(r)
	return r
}

// required is a text that must be there.
func (t table) required(key string) string {
	s, given := t.text(key)
	switch {
	case !t.has(key):
		t.missing(key, "has no %s: write one, like %s", key, tables[t.name][key])
	case given && s == "":
		t.wrongAt(key, "%s is empty: write one, like %s", key, tables[t.name][key])
	}
	return s
}

func (t table) replyHost() string {
	s := t.required("host")
	host := monitor.HostOf("https://" + s)
	if s != "" && (host == "" || strings.ContainsAny(s, "/:@ ?#")) {
		t.wrongAt("host", "host %s is not a host name: write it without https:// and what follows it, like %s", quote(s), tables["reply"]["host"])
	}
	return host
}

// message may have several lines.
func (t table) message() string {
	s, given := get[string](t, "message")
	control := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }
	switch {
	case !t.has("message"):
		t.missing("message", "has no message: write one, like %s", tables["reply"]["message"])
	case given && strings.TrimSpace(s) == "":
		t.wrongAt("message", "message is empty: write what the landlord should read")
	case strings.IndexFunc(s, control) >= 0:
		t.wrongAt("message", "message holds a control character: write plain text")
	}
	return s
}

func (t table) mode() monitor.ReplyMode {
	s, given := t.text("mode")
	switch mode := monitor.ReplyMode(s); {
	case !given:
		return monitor.DryRun
	case mode == monitor.DryRun, mode == monitor.Ask, mode == monitor.Send:
		return mode
	}
	t.wrongAt("mode", `mode %s is not known: write "dry-run" (fill in, do not send), "ask" (send after your click) or "send"`, quote(s))
	return monitor.DryRun
}

// delay is a pair of durations.
func (t table) delay() (least, most time.Duration) {
	s, given := t.text("delay")
	if !given {
		return leastDelay, mostDelay
	}
	low, high, pair := strings.Cut(s, "-")
	if !pair {
		high = low
	}
	least, err := time.ParseDuration(strings.TrimSpace(low))
	most, err2 := time.ParseDuration(strings.TrimSpace(high))
	switch {
	case err != nil || err2 != nil:
		t.wrongAt("delay", "delay %s is not a pair of durations: write it like %s", quote(s), tables["reply"]["delay"])
	case least < 0 || most < least:
		t.wrongAt("delay", "delay %s goes backwards: write the shorter one first, like %s", quote(s), tables["reply"]["delay"])
	case most > longestDelay:
		t.wrongAt("delay", "delay %s is longer than an hour: write less, homes are let within hours", quote(s))
	default:
		return least, most
	}
	return leastDelay, mostDelay
}

// kinds are the steps that there are, and whether they need a `with`.
var kinds = map[string]bool{
	string(monitor.Goto): false, string(monitor.Click): false, string(monitor.Fill): true, string(monitor.Select): true,
	string(monitor.Check): false, string(monitor.Wait): false, string(monitor.Submit): false,
}

func (t table) steps() []monitor.Step {
	if !t.has("steps") {
		t.missing("steps", "has no steps: write what is to be done on the page, like %s", tables["reply"]["steps"])
		return nil
	}
	list, ok := t.values["steps"].([]any)
	if tables, is := t.values["steps"].([]map[string]any); is {
		for _, s := range tables {
			list = append(list, s)
		}
		ok = true
	}
	if !ok {
		t.wrongType("steps", t.values["steps"])
		return nil
	}
	var out []monitor.Step
	for i, v := range list {
		line := t.lines[t.path.key("steps").index(i)]
		if line == 0 {
			line = t.line("steps")
		}
		s, wrong := step(v)
		if wrong == "" && (s.Do == monitor.Submit) != (i == len(list)-1) {
			wrong = "the last step, and only that, must be a submit: " + tables["reply"]["steps"]
		}
		if wrong != "" {
			t.wrong(line, "%s step %d: %s", t.label, i+1, wrong)
		}
		out = append(out, s)
	}
	if len(list) == 0 {
		t.wrongAt("steps", "steps is empty: write what is to be done on the page, like %s", tables["reply"]["steps"])
	}
	return out
}

// step reads one step, or says what is wrong with it.
func step(v any) (monitor.Step, string) {
	values, ok := v.(map[string]any)
	if !ok {
		return monitor.Step{}, `it is ` + kind(v) + `: write it like { click = "#contact" }`
	}
	var s monitor.Step
	for _, key := range slices.Sorted(maps.Keys(values)) {
		text, isText := values[key].(string)
		_, isKind := kinds[key]
		switch {
		case !isKind && key != "with":
			hint := nearest(key, append(slices.Sorted(maps.Keys(kinds)), "with"))
			if hint == "" {
				return s, fmt.Sprintf("%s is not known: the steps are %s", quote(key), listed(slices.Sorted(maps.Keys(kinds)), plain))
			}
			return s, fmt.Sprintf("%s is not known: did you mean %s?", quote(key), quote(hint))
		case !isText || strings.TrimSpace(text) == "":
			return s, key + " needs a text in quotes that is not empty"
		case key == "with":
			s.With = text
		case s.Do != "":
			return s, fmt.Sprintf("it has both %s and %s: write two steps", s.Do, key)
		default:
			s.Do, s.At = monitor.StepKind(key), strings.TrimSpace(text)
		}
	}
	switch {
	case s.Do == "":
		return s, "it does nothing: write one of " + listed(slices.Sorted(maps.Keys(kinds)), plain)
	case kinds[string(s.Do)] && s.With == "":
		return s, fmt.Sprintf(`%s needs a with: write it like { %s = %s, with = "{{.Message}}" }`, s.Do, s.Do, quote(s.At))
	case !kinds[string(s.Do)] && s.With != "":
		return s, fmt.Sprintf("%s has no use for with: remove it", s.Do)
	}
	return s, ""
}

// compose tries the templates on a listing of which all is known, and on one of which
// nothing is.
func (t table) compose(r monitor.Recipe) {
	full := monitor.Listing{
		URL: "https://" + r.Host + "/1", ID: "1", Title: "Room", Address: "Street 1", AreaM2: 20, Rooms: 1,
		Price: monitor.Price{Amount: 1000, Text: "€ 1,000"},
	}
	for _, l := range []monitor.Listing{full, {URL: full.URL}} {
		message, _, err := r.Compose(l, "Search")
		if err != nil {
			key := "steps"
			if strings.HasPrefix(err.Error(), "message: ") {
				key = "message"
			}
			t.wrongAt(key, "%v: the fields are {{.Title}}, {{.Address}}, {{.Price}}, {{.Area}}, {{.Rooms}}, {{.URL}}, {{.ID}} and {{.Search}}, and {{.Message}} in steps", err)
			return
		}
		if message == "" && strings.TrimSpace(r.Message) != "" {
			t.wrongAt("message", "message comes out empty for a listing of which little is known: write some text outside {{if}}")
			return
		}
	}
}
