// Package assets holds the files that are built into the program: icons, portal
// definitions, the extraction script, mail templates and the demo portal. It reads
// and checks them, and does nothing else.
package assets

import "embed"

//go:generate go run ./icons/draw -to icons

//go:embed icons/*.png icons/*.ico
var icons embed.FS

// Icon names one state of the tray icon. The five differ in shape as well as in
// colour.
type Icon string

// The five icons: a house, a magnifying glass, a bell, a warning triangle, and a
// house with two bars in it.
const (
	IconWatching Icon = "watching"
	IconChecking Icon = "checking"
	IconNews     Icon = "news"
	IconTrouble  Icon = "trouble"
	IconPaused   Icon = "paused"
)

// Icons are all of them, in the order above.
func Icons() []Icon {
	return []Icon{IconWatching, IconChecking, IconNews, IconTrouble, IconPaused}
}

// PNG is the icon for Linux panels: 64 x 64 pixels, none of them translucent,
// because translucent ones come out in wrong colours there.
func (i Icon) PNG() []byte { return icon(string(i) + ".png") }

// ICO is the icon for Windows, in the sizes 16, 20, 24, 32 and 48.
func (i Icon) ICO() []byte { return icon(string(i) + ".ico") }

// Template is the icon for macOS, which colours it itself: 32 x 32 pixels, black
// with an alpha channel, to be shown at 16 x 16 points.
func (i Icon) Template() []byte { return icon(string(i) + "-template.png") }

// AppIcon is the picture of the program, for banners and launchers: a PNG of
// 128 x 128 pixels.
func AppIcon() []byte { return icon("notifio.png") }

// icon reads an embedded file. One that is missing was left out of the build, and
// the test over all icons names it.
func icon(name string) []byte {
	b, err := icons.ReadFile("icons/" + name)
	if err != nil {
		return nil
	}
	return b
}
