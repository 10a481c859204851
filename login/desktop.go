package login

import (
	"slices"
	"strings"
)

// desktopFile is an entry as XDG autostart wants it: a key file whose Exec line is
// quoted twice, first as a command line and then as a value of the file.
// https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html
func desktopFile(e Entry) []byte {
	return []byte(`[Desktop Entry]
Type=Application
Name=Notifio
Comment=Tells you about new listings within the minute
Exec=` + execLine(e.command()) + `
Terminal=false
X-GNOME-Autostart-enabled=true
`)
}

// shell starts what follows it. Desktops look for the program before they read %%
// as a percent sign, and the specification has no way to write an equals sign in
// its path: such a program is only an argument.
var shell = []string{"sh", "-c", `exec "$0" "$@"`}

func execLine(command []string) string {
	if strings.ContainsAny(command[0], "%=") {
		command = slices.Concat(shell, command)
	}
	var quoted []string
	for _, arg := range command {
		quoted = append(quoted, execArg(arg))
	}
	return strings.ReplaceAll(strings.Join(quoted, " "), `\`, `\\`)
}

// execArg quotes where it has to. A percent sign would begin a field code, in quotes
// too.
func execArg(arg string) string {
	arg = strings.ReplaceAll(arg, "%", "%%")
	if arg != "" && !strings.ContainsAny(arg, " \t\n\"'\\><~|&;$*?#()`=") {
		return arg
	}
	return `"` + strings.NewReplacer(`"`, `\"`, "`", "\\`", `$`, `\$`, `\`, `\\`).Replace(arg) + `"`
}

// desktopProgram reads which program a .desktop file starts, whoever wrote it, and
// whether it does: not when it is hidden or switched off.
func desktopProgram(text []byte) (program string, ok bool) {
	group := ""
	on := true
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			group = line
			continue
		}
		key, value, found := strings.Cut(line, "=")
		if !found || group != "[Desktop Entry]" {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "Exec":
			program = startedBy(splitExec(unescapeValue(value)))
		case "Hidden":
			on = on && value != "true"
		case "X-GNOME-Autostart-enabled":
			on = on && value != "false"
		}
	}
	return program, on && program != ""
}

// startedBy is the program of a command line, behind the shell when that is ours.
func startedBy(command []string) string {
	if n := len(shell); len(command) > n && slices.Equal(command[:n], shell) {
		command = command[n:]
	}
	if len(command) == 0 {
		return ""
	}
	return command[0]
}

func unescapeValue(value string) string {
	return strings.NewReplacer(`\\`, `\`, `\s`, " ", `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(value)
}

// splitExec takes a command line in the quoting of Exec apart. Field codes stay as
// they are.
func splitExec(line string) []string {
	var args []string
	var b strings.Builder
	quoted, inArg := false, false
	for i := 0; i < len(line); i++ {
		c := line[i]
		if c == ' ' && !quoted {
			if inArg {
				args = append(args, b.String())
			}
			b.Reset()
			inArg = false
			continue
		}
		inArg = true
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(line), c == '%' && strings.HasPrefix(line[i+1:], "%"):
			i++
			b.WriteByte(line[i])
		default:
			b.WriteByte(c)
		}
	}
	if inArg {
		args = append(args, b.String())
	}
	return args
}
