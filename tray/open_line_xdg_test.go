//go:build !windows && !darwin

package tray

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestEditorIsToldTheLineInItsOwnWords(t *testing.T) {
	for entry, want := range map[string][]string{
		"org.kde.kate.desktop":         {"kate", "--line", "12", "/a b/notifio.toml"},
		"org.gnome.gedit.desktop":      {"gedit", "+12", "/a b/notifio.toml"},
		"code.desktop":                 {"code", "--goto", "/a b/notifio.toml:12"},
		"mousepad.desktop":             {"mousepad", "--line=12", "/a b/notifio.toml"},
		"org.gnome.TextEditor.desktop": nil,
		"vim.desktop":                  nil,
		"":                             nil,
	} {
		if got := editorAt(entry, "/a b/notifio.toml", 12); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", entry, got, want)
		}
	}
}

func TestFileOpensAtItsLineWhereTheEditorCan(t *testing.T) {
	const write = `printf '%s' "$*" >"$(dirname "$0")/opened"`
	for _, c := range []struct {
		name     string
		programs map[string]string
		want     string
	}{
		{"an editor that takes lines", map[string]string{"xdg-mime": "echo org.kde.kate.desktop", "kate": write}, "--line 7 "},
		{"another editor", map[string]string{"xdg-mime": "echo vim.desktop", "xdg-open": write}, ""},
		{"an editor that is gone", map[string]string{"xdg-mime": "echo gedit.desktop", "xdg-open": write}, ""},
		{"an editor that fails", map[string]string{"xdg-mime": "echo geany.desktop", "geany": "exit 1", "xdg-open": write}, ""},
		{"a desktop that does not say", map[string]string{"xdg-mime": "exit 4", "xdg-open": write}, ""},
	} {
		dir := stubs(t, c.programs)
		file := filepath.Join(dir, "notifio.toml")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := OpenFileAt(file, 7); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "opened")); err != nil || string(got) != c.want+file {
			t.Errorf("%s: opened with %q, %v", c.name, got, err)
		}
	}
	if err := OpenFileAt("/nowhere/notifio.toml", 7); err == nil {
		t.Error("a missing file was opened")
	}
}
