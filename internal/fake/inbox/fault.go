package inbox

import (
	"strings"
	"time"
)

// Step is a moment in the conversation at which the server can fail.
type Step string

// The steps, in their order.
const (
	AtGreeting  Step = "greeting"  // before the first line
	AtHello     Step = "EHLO"      // also HELO
	AtStartTLS  Step = "STARTTLS"  // the answer to the command
	AtHandshake Step = "handshake" // after a good answer, or with Options.TLS at once
	AtAuth      Step = "AUTH"      // the answer to the whole login
	AtMail      Step = "MAIL"
	AtRecipient Step = "RCPT"
	AtData      Step = "DATA" // the answer to the command, before the message
	AtMessage   Step = "message"
	AtEnd       Step = "end" // the answer to the dot
	AtQuit      Step = "QUIT"
)

// Fault is what the server does instead of the usual at one Step.
type Fault struct {
	// Reply is the answer, "451 4.3.0 later"; several lines are parted by "\n" and
	// each has its own code. Empty: the usual answer, unless something below says
	// otherwise. At AtEnd the message counts as arrived only if Reply is empty or
	// starts with 2.
	Reply string
	// Silent never answers, until the client has gone.
	Silent bool
	// Hangup closes the connection, after Reply when there is one. AtMessage it does
	// so after the first lines of the message.
	Hangup bool
	// Delay comes before all of that; Trickle between the octets of the answer.
	Delay, Trickle time.Duration
	// Keep counts the message as arrived although the answer says, or is, nothing.
	Keep bool
	// For limits the fault to commands whose line contains it, say an address.
	For string
	// Met, when it is not nil, is called at each meeting, before anything else.
	Met func()
	// Times is how often the fault comes; 0: until Heal.
	Times int
}

// Fail makes new connections fail at a step, in addition to the faults already
// set; the last one for a step wins.
func (i *Inbox) Fail(at Step, f Fault) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.faults[at] = &f
}

// Heal takes all faults away.
func (i *Inbox) Heal() {
	i.mu.Lock()
	defer i.mu.Unlock()
	clear(i.faults)
}

// fault takes the fault for a step, if there is one for this line now.
func (i *Inbox) fault(at Step, line string) (Fault, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	f := i.faults[at]
	if f == nil || !strings.Contains(line, f.For) {
		return Fault{}, false
	}
	if f.Times > 0 {
		if f.Times--; f.Times == 0 {
			delete(i.faults, at)
		}
	}
	return *f, true
}
