package monitor

// The notes that a guard leaves under a search. They are short, for a row; Meaning
// has the rest.
const (
	noteBaseline = "Baseline saved"
	noteHalf     = "Page looked half-loaded"
	noteSmaller  = "Re-based after a smaller page"
	noteShape    = "Page changed shape, re-based"
	noteGap      = "Much was new after a long gap, looked again"
	noteReader   = "Read by a new version"
)

// meanings say what a note means to somebody who reads it for the first time, in at
// most 90 letters.
var meanings = map[string]string{
	noteBaseline: "What was on the page then is known; you are told what is new since",
	noteHalf:     "Less than half of it was there, so nothing was concluded; it is checked again",
	noteSmaller:  "It stayed that small for three checks, so what it showed counts as known",
	noteShape:    "Nearly all of it was unknown, as on another page, so nothing of it was told",
	noteGap:      "You are told when the next check shows the same",
	noteReader:   "What only it sees may have been there before: up to ten are told, and marked",
}

// Meaning explains Row.Note in one more sentence; it is empty for a note that
// needs none.
func Meaning(note string) string { return meanings[note] }
