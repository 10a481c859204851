//go:build !windows && !darwin

package tray

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// editorTimeout is what asking for the user's editor may take.
const editorTimeout = 2 * time.Second

// openFileAt opens a text file in the user's own editor, when that is one that can
// be told a line.
func openFileAt(path string, line int) error {
	for _, kind := range []string{"application/toml", "text/plain"} {
		ctx, cancel := context.WithTimeout(context.Background(), editorTimeout)
		entry, err := exec.CommandContext(ctx, "xdg-mime", "query", "default", kind).Output()
		cancel()
		if err != nil {
			return fmt.Errorf("ask for the user's editor: %w", err)
		}
		command := editorAt(strings.TrimSpace(string(entry)), path, line)
		if command == nil {
			continue
		}
		program, err := exec.LookPath(command[0])
		if err != nil {
			return err
		}
		return launch(exec.Command(program, command[1:]...))
	}
	return errors.New("the user's editor takes no line")
}

// lineFlags say how an editor is told a line: %d is the line, and where there is a
// %s the file belongs to the same argument.
var lineFlags = map[string][]string{
	"code": {"--goto", "%s:%d"}, "codium": {"--goto", "%s:%d"},
	"emacs": {"+%d"}, "gedit": {"+%d"}, "gvim": {"+%d"}, "pluma": {"+%d"}, "xed": {"+%d"},
	"geany": {"--line=%d"}, "mousepad": {"--line=%d"},
	"kate": {"--line", "%d"}, "kwrite": {"--line", "%d"},
}

// editorAt is the command that opens path at a line in the editor with this desktop
// entry, or nothing where that is not known.
func editorAt(entry, path string, line int) []string {
	name := strings.ToLower(strings.TrimSuffix(entry, ".desktop"))
	name = name[strings.LastIndexByte(name, '.')+1:] // org.kde.kate
	flags, known := lineFlags[name]
	if !known {
		return nil
	}
	command, withFile := []string{name}, false
	for _, f := range flags {
		withFile = withFile || strings.Contains(f, "%s")
		f = strings.ReplaceAll(f, "%d", fmt.Sprint(line))
		command = append(command, strings.ReplaceAll(f, "%s", path))
	}
	if !withFile {
		command = append(command, path)
	}
	return command
}
