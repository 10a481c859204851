package login

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
)

// agentLabel names the LaunchAgent, which is also its file.
const agentLabel = "app.notifio.notifio"

// agentFile is an entry as launchd wants it: a property list of the arguments,
// which no shell reads. It is not kept alive: Quit means quit.
func agentFile(e Entry) []byte {
	var x bytes.Buffer
	x.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + agentLabel + `</string>
	<key>ProgramArguments</key>
	<array>
`)
	for _, arg := range e.command() {
		x.WriteString("\t\t<string>")
		_ = xml.EscapeText(&x, []byte(arg)) // a buffer takes everything
		x.WriteString("</string>\n")
	}
	x.WriteString(`	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>ProcessType</key>
	<string>Interactive</string>
</dict>
</plist>
`)
	return x.Bytes()
}

// agentProgram reads which program a LaunchAgent starts, and whether it does: not
// when it is switched off in the file itself.
func agentProgram(text []byte) (program string, ok bool) {
	d := xml.NewDecoder(bytes.NewReader(text))
	key, depth, disabled := "", 0, false
	for {
		token, err := d.Token()
		if err != nil {
			return program, errors.Is(err, io.EOF) && program != "" && !disabled
		}
		switch t := token.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			depth++
			var s string
			switch t.Name.Local {
			case "key", "string":
				if d.DecodeElement(&s, &t) != nil {
					return "", false
				}
				depth--
			}
			switch {
			case t.Name.Local == "key" && depth == 2: // of the outermost <dict>
				key = s
			case t.Name.Local == "string" && key == "ProgramArguments" && program == "":
				program = s
			case t.Name.Local == "string" && key == "Program":
				program = s
			case t.Name.Local == "true" && key == "Disabled":
				disabled = true
			}
		}
	}
}
