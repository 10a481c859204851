package config

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"notifio.app/notifio/monitor"
)

// searches reads every [[search]].
func (c *checker) searches(doc map[string]any) []monitor.Search {
	found := c.many(doc, "search")
	if len(found) == 0 && !c.partial && len(c.problems) == 0 {
		c.wrong(0, "has no search: write at least one [[search]] with a name and a url")
	}
	out := make([]monitor.Search, 0, len(found))
	names, addresses, enabled := map[string]int{}, map[string]int{}, 0
	for i, values := range found {
		t := table{checker: c, name: "search", path: path("").key("search").index(i), values: values}
		t.label = label(values, i)
		if values == nil {
			continue
		}
		s := t.search()
		t.unique("name", s.Name, names)
		t.unique("url", address(s.URL), addresses)
		if s.Enabled {
			enabled++
		}
		if s.Enabled && enabled == monitor.MaxSearches+1 {
			t.wrong(t.lines[t.path], "%s is the %dth that is enabled, and the limit is %d: more pages than that cannot all be looked at about every 30 seconds. Write enabled = false below those you can do without",
				t.label, enabled, monitor.MaxSearches)
		}
		out = append(out, s)
	}
	if len(out) > 0 && enabled == 0 {
		c.warn(0, "has no enabled search, so nothing is checked: write enabled = true below one of them")
	}
	return out
}

// label is how problems of a search begin: by its name, else by its place.
func label(values map[string]any, i int) string {
	if name, ok := values["name"].(string); ok && strings.TrimSpace(name) != "" {
		return "search " + quote(strings.TrimSpace(name)) + ":"
	}
	return "search " + strconv.Itoa(i+1) + ":"
}

func (t table) search() monitor.Search {
	t.reportUnknown()
	s := monitor.Search{
		Name:       t.searchName(),
		URL:        t.searchURL(),
		Enabled:    t.flag("enabled", true),
		Link:       t.link(),
		PriceDrops: t.flag("price_drops", true),
		Reply:      t.replyName(),
		Filter: monitor.Filter{
			MaxPrice: t.maxPrice(),
			MinArea:  t.amount("min_area"),
			Require:  t.texts("require"),
			Exclude:  t.texts("exclude"),
		},
	}
	if v, given := get[bool](t, "newest_first"); given {
		s.NewestFirst = &v
	}
	return s
}

func (t table) searchName() string {
	const most = 80 // what a menu, a subject and a line of the log can show
	name, given := t.text("name")
	switch {
	case !t.has("name"):
		t.missing("name", "has no name: write one, like %s", tables["search"]["name"])
	case given && name == "":
		t.wrongAt("name", "its name is empty: write one, like %s", tables["search"]["name"])
	case utf8.RuneCountInString(name) > most:
		t.wrongAt("name", "its name is longer than %d letters: write a shorter one", most)
	}
	return name
}

var demo = regexp.MustCompile(`^demo:[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)

// searchURL never quotes the address: it may hold what signs somebody in.
func (t table) searchURL() string {
	const copyIt = "open the search in your browser and copy the whole address, https:// included"
	raw, given := t.text("url")
	if !t.has("url") {
		t.missing("url", "has no url: %s", copyIt)
	}
	if !given || demo.MatchString(raw) {
		return raw
	}
	u, err := url.Parse(raw)
	switch {
	case raw == "":
		t.wrongAt("url", "url is empty: %s", copyIt)
	case strings.HasPrefix(raw, "demo:"):
		t.wrongAt("url", `url is not a demo portal: write one like "demo:amsterdam"`)
	case err != nil:
		t.wrongAt("url", "url cannot be read as an address: %s", copyIt)
	case u.Scheme != "http" && u.Scheme != "https":
		t.wrongAt("url", "url does not begin with http:// or https://: %s", copyIt)
	case u.User != nil:
		t.wrongAt("url", "url holds a user name or a password: remove everything before the @, and sign in with: notifio sign-in HOST")
	case u.Hostname() == "" || strings.ContainsAny(u.Host, " \t") || !goodPort(u):
		t.wrongAt("url", "url has no proper host name: %s", copyIt)
	default:
		return raw
	}
	return ""
}

func goodPort(u *url.URL) bool {
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	n, err := strconv.Atoi(u.Port())
	return err == nil && n >= 1 && n <= 65535
}

// address is what two searches must not share: the URL without what makes no
// difference to the portal. What follows # does make one on some sites.
func address(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return raw
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if u.Scheme == "https" {
		u.Host = strings.TrimSuffix(u.Host, ":443")
	} else {
		u.Host = strings.TrimSuffix(u.Host, ":80")
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}

// unique reports the second search with the same name or address.
func (t table) unique(key, value string, seen map[string]int) {
	if value == "" {
		return
	}
	if first, taken := seen[value]; taken {
		t.wrongAt(key, "has the same %s as the search in line %d: change or remove one of them", key, first)
		return
	}
	seen[value] = t.lines[t.path]
}

func (t table) link() string {
	s, _ := t.text("link")
	if _, err := regexp.Compile(s); err != nil {
		t.wrongAt("link", "link is not a regular expression (%s): write it in single quotes, like %s",
			strings.TrimPrefix(err.Error(), "error parsing regexp: "), tables["search"]["link"])
	}
	return s
}

// maxPrice refuses 1.800: TOML reads it as less than two, and a limit of two
// would silently keep every listing back.
func (t table) maxPrice() float64 {
	const least = 10
	v := t.amount("max_price")
	if _, fraction := t.values["max_price"].(float64); fraction && v > 0 && v < least {
		t.wrongAt("max_price", "max_price = %s is too low to be a rent: write thousands without a point, like %s",
			number(v), tables["search"]["max_price"])
	}
	return v
}
