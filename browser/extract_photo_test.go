package browser

import (
	"net/url"
	"testing"
)

func TestLargestPictureOfASource(t *testing.T) {
	t.Parallel()
	base, err := url.Parse("https://rooms.example/search")
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		"/a.jpg":                                "https://rooms.example/a.jpg",
		"/a.jpg 320w, /b.jpg 960w, /c.jpg 640w": "https://rooms.example/b.jpg",
		"https://img.example/a.jpg 364w,https://img.example/b.jpg 728w":    "https://img.example/b.jpg",
		"https://img.example/w_1,h_2/a.jpg 1x, https://img.example/b.jpg":  "https://img.example/w_1,h_2/a.jpg",
		"https://img.example/w_1,h_2/a.jpg 1.5x,https://img.example/b 2x,": "https://img.example/b",
		"https://img.example/a,b.jpg":                                      "https://img.example/a,b.jpg",
		"data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAA": "",
		"":                      "",
		"/placeholder.png 320w": "",
	} {
		if got := picture(source, base); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
}
