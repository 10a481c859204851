package assets

import "embed"

// Mail holds the templates of an alert's message: mail/letter.html for the HTML
// part and mail/letter.txt for the text. Package mail says what they are given.
//
//go:embed mail/letter.html mail/letter.txt
var Mail embed.FS
