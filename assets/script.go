package assets

import _ "embed"

// ExtractScript is one JavaScript function expression, `async (options) => string`,
// to be evaluated once per check in the page. The comment at its head lists the
// options; what comes back is JSON, decoded by package browser.
//
//go:embed extract.js
var ExtractScript string
