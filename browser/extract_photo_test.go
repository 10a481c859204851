package browser

import (
	"net/url"
	"testing"
)

func TestPictures(t *testing.T) {
	t.Parallel()
	base, err := url.Parse("https://rooms.example/search")
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		"/a.jpg": "https://rooms.example/a.jpg",
		"data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAA": "",
		"":                 "",
		"/placeholder.png": "",
	} {
		if got := picture(source, base); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
}
