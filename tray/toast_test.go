package tray

import (
	"encoding/xml"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

// What a portal writes stays text: it opens no element, ends no section and is
// nothing that a shell would carry out.
func TestToastHoldsTextOnly(t *testing.T) {
	evil := `Wohnung <3 Zi.> & "Süd" ]]> $(calc) ` + "`calc`" + ` "@ </text><audio/>`
	doc := toastXML(monitor.Banner{Title: evil, Body: evil + "\nsecond", URL: `https://x.example/?a=1&b="><x>`})
	var toast struct {
		XMLName xml.Name `xml:"toast"`
		Type    string   `xml:"activationType,attr"`
		Launch  string   `xml:"launch,attr"`
		Text    []string `xml:"visual>binding>text"`
		Other   []struct {
			XMLName xml.Name
		} `xml:",any"`
	}
	if err := xml.Unmarshal([]byte(doc), &toast); err != nil {
		t.Fatalf("%v in %s", err, doc)
	}
	if toast.Type != "protocol" || toast.Launch != `https://x.example/?a=1&b="><x>` {
		t.Errorf("a click leads to %q by %q", toast.Launch, toast.Type)
	}
	if len(toast.Text) != 2 || toast.Text[0] != evil || toast.Text[1] != evil+"\nsecond" || len(toast.Other) != 0 {
		t.Errorf("texts %q, other elements %v", toast.Text, toast.Other)
	}
	if strings.Contains(doc, "CDATA") {
		t.Error("the text is in a section that it can end")
	}
}

func TestToastWithoutLinkOpensNothing(t *testing.T) {
	if doc := toastXML(monitor.Banner{Title: "a", Body: "b"}); strings.Contains(doc, "launch") {
		t.Errorf("a click does something: %s", doc)
	}
}
