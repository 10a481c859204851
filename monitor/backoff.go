package monitor

// Ladder names the list of waits that a host is on.
type Ladder string

// The ladders.
const (
	NoLadder      Ladder = ""
	RefusalLadder Ladder = "refusal"
	ErrorLadder   Ladder = "error"
)
