package config

import (
	"os"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// recipe is a legal [[reply]], with the search that uses it.
const recipe = `[[search]]
name = "Mine"
url = "https://www.example.com/rent"
reply = "site"

[[reply]]
name = "site"
host = "www.example.com"
message = """
Hello,
{{.Title}} is what I look for.
"""
steps = [
  { click = "#contact" },
  { fill = "#message", with = "{{.Message}}" },
  { submit = "#send" },
]
success = "text=Sent"
`

func TestRecipeIsRead(t *testing.T) {
	c := parse(t, strings.Replace(recipe, "success =", "delay = \"1s - 2m\"\ndaily_limit = 3\nmode = \"ask\"\nsuccess =", 1))
	r := c.Replies[0]
	if r.DelayLeast != time.Second || r.DelayMost != 2*time.Minute || r.DailyLimit != 3 || r.Mode != monitor.Ask || len(r.Steps) != 3 {
		t.Errorf("%+v", r)
	}
	if c.Searches[0].Reply != "site" || len(c.Settings().Recipes) != 1 {
		t.Errorf("%+v", c.Searches[0])
	}
	dotted := strings.Split(recipe, "steps")[0] + "success = \"text=Sent\"\n[[reply.steps]]\nfill = \"#m\"\nwith = \"{{.Message}}\"\n[[reply.steps]]\nsubmit = \"#send\"\n"
	if c := parse(t, dotted); len(c.Replies[0].Steps) != 2 {
		t.Errorf("%+v", c.Replies[0].Steps)
	}
}

// Each mistake alone: its line, and what to do.
func TestMistakesInARecipe(t *testing.T) {
	for _, c := range []struct {
		old, new string
		line     string
		want     string
	}{
		{`reply = "site"`, `reply = "sight"`, ":4:", `no [[reply]] with the name "sight": there are site`},
		{`reply = "site"`, `reply = ""`, ":4:", "reply is empty"},
		{`name = "site"`, ``, ":4:", "no [[reply]]"},
		{`host = "www.example.com"`, `host = "https://www.example.com/x"`, ":8:", "without https://"},
		{`host = "www.example.com"`, ``, ":6:", "has no host"},
		{`{{.Title}}`, `{{.Rent}}`, ":9:", "{{.Address}}"},
		{`{{.Title}}`, `{{.Title`, ":9:", "message"},
		{`{ click = "#contact" }`, `{ clik = "#contact" }`, ":14:", `did you mean "click"`},
		{`{ click = "#contact" }`, `{ }`, ":14:", "does nothing"},
		{`{ click = "#contact" }`, `"click #contact"`, ":14:", "it is text"},
		{`{ click = "#contact" }`, `{ click = "#contact", check = "#a" }`, ":14:", "write two steps"},
		{`{ click = "#contact" }`, `{ submit = "#contact" }`, ":14:", "the last step"},
		{`, with = "{{.Message}}"`, ``, ":15:", "needs a with"},
		{`with = "{{.Message}}"`, `with = "{{.Massage}}"`, ":13:", "{{.Message}} in steps"},
		{`  { submit = "#send" },`, ``, ":15:", "the last step"},
		{`{ submit = "#send" }`, `{ submit = "#send", with = "x" }`, ":16:", "no use for with"},
		{`{ submit = "#send" }`, `{ submit = 3 }`, ":16:", "text in quotes"},
		{`success = "text=Sent"`, ``, ":6:", "has no success"},
		{`success =`, "delay = \"20\"\nsuccess =", ":18:", "pair of durations"},
		{`success =`, "delay = \"90s-20s\"\nsuccess =", ":18:", "shorter one first"},
		{`success =`, "delay = \"1s-3h\"\nsuccess =", ":18:", "longer than an hour"},
		{`success =`, "daily_limit = 0\nsuccess =", ":18:", "from 1 to 50"},
		{`success =`, "mode = \"auto\"\nsuccess =", ":18:", `"dry-run"`},
		{`success =`, "dely = \"1s\"\nsuccess =", ":18:", `did you mean "delay"`},
	} {
		text := strings.Replace(recipe, c.old, c.new, 1)
		_, err := Parse("notifio.toml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), c.line) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s -> %s: %v, want line %s and %q", c.old, c.new, err, c.line, c.want)
		}
	}
}

func TestEveryMistakeOfARecipeIsToldAtOnce(t *testing.T) {
	_, err := Parse("notifio.toml", []byte(recipe+"\n[[reply]]\nname = \"site\"\nhost = \"a b\"\nmessage = 3\nsteps = 4\nmode = \"x\"\n"))
	if n := strings.Count(err.Error(), "\n") + 1; n != 6 {
		t.Errorf("%d mistakes told, want 6:\n%v", n, err)
	}
}

// What the README shows as a whole recipe is one.
func TestRecipeOfTheReadmeIsLegal(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```toml\n[[reply]]")
	block, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		t.Fatal("the README shows no recipe")
	}
	c := parse(t, "[[search]]\nname = \"Mine\"\nurl = \"https://www.example.com/rent\"\nreply = \"example\"\n\n[[reply]]"+block)
	if len(c.Replies) != 1 || len(c.Replies[0].Steps) != 5 || len(c.Warnings) > 0 {
		t.Errorf("%+v %v", c.Replies, c.Warnings)
	}
}
