package login

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
)

// maxCommand is what Windows reads of a Run value, in UTF-16 units.
// https://learn.microsoft.com/windows/win32/setupapi/run-and-runonce-registry-keys
const maxCommand = 260

// commandLine is an entry as the Run key wants it: one line, which the program
// itself takes apart again. The program is in quotes always; without them Windows
// would try every space as its end.
func commandLine(e Entry) (string, error) {
	if strings.Contains(e.Program, `"`) {
		return "", errors.New("the program's path has a quotation mark in it")
	}
	line := `"` + e.Program + `"`
	for _, arg := range e.Args {
		line += " " + commandArg(arg)
	}
	if n := len(utf16.Encode([]rune(line))); n > maxCommand {
		return "", fmt.Errorf("the command is %d characters long, and Windows takes %d: move Notifio to a folder with a shorter path", n, maxCommand)
	}
	return line, nil
}

// commandArg quotes one argument: backslashes count only before a quotation mark,
// where they are doubled.
// https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
func commandArg(arg string) string {
	if arg != "" && !strings.ContainsAny(arg, " \t\"") {
		return arg
	}
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for _, r := range arg {
		switch r {
		case '\\':
			slashes++
			continue
		case '"':
			b.WriteString(strings.Repeat(`\`, 2*slashes+1))
		default:
			b.WriteString(strings.Repeat(`\`, slashes))
		}
		slashes = 0
		b.WriteRune(r)
	}
	b.WriteString(strings.Repeat(`\`, 2*slashes))
	b.WriteByte('"')
	return b.String()
}

// commandProgram is the program of a command line, whoever wrote it.
func commandProgram(line string) string {
	if rest, quoted := strings.CutPrefix(line, `"`); quoted {
		program, _, _ := strings.Cut(rest, `"`)
		return program
	}
	program, _, _ := strings.Cut(line, " ")
	return program
}

// approved reads what Task Manager keeps about a Run value: twelve bytes, the first
// of which is odd when the user has switched it off there. Nothing means on.
func approved(state []byte) bool { return len(state) == 0 || state[0]&1 == 0 }
