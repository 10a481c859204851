package assets

import "embed"

// Report holds the template of the report: report/page.html, one page with its
// style sheet. Package report says what it is given.
//
//go:embed report/page.html
var Report embed.FS
