package assets

import _ "embed"

// Trackers lists the query parameters that say where a visitor came from, or how
// a page is shown, and not which home it shows; one a line, with the reason. The
// comment at its head explains the form.
//
//go:embed trackers.txt
var Trackers string
