package tray

import (
	"bytes"
	"encoding/xml"

	"notifio.app/notifio/monitor"
)

// toastXML is a banner as Windows wants it. A click opens the link in the browser.
func toastXML(b monitor.Banner) string {
	var x bytes.Buffer
	x.WriteString("<toast")
	if b.URL != "" {
		x.WriteString(` activationType="protocol" launch="`)
		escapeXML(&x, b.URL)
		x.WriteString(`"`)
	}
	x.WriteString(`><visual><binding template="ToastGeneric"><text>`)
	escapeXML(&x, b.Title)
	x.WriteString("</text><text>")
	escapeXML(&x, b.Body)
	x.WriteString("</text></binding></visual></toast>")
	return x.String()
}

func escapeXML(x *bytes.Buffer, text string) {
	// Writing to a bytes.Buffer does not fail.
	_ = xml.EscapeText(x, []byte(text))
}
