package monitor

import "context"

// Courier takes a letter to its recipient: over SMTP, or into a mail folder.
type Courier interface {
	// Deliver composes the letter (or sends Raw as it is) and returns nil once the
	// recipient's side has answered for it: the 250 to the data, or a file that is
	// written, synced and renamed. Just before the point of no return it calls seal
	// with the bytes; when seal fails, nothing is sent. Every step has a deadline.
	// An error that is not a *DeliveryError counts as temporary.
	Deliver(ctx context.Context, l Letter, seal func(raw []byte) error) error
}

// Letter is one message to one recipient.
type Letter struct {
	ID     string // Message-ID, without angle brackets
	To     string // an address, or FolderRecipient
	Alerts []Alert
	// Notices are troubles that have lasted, and their ends. They ride along, or
	// make a letter of their own.
	Notices []Banner
	Plain   bool   // plain text only
	Raw     []byte // not nil: send these very bytes
}

// FolderRecipient stands for the mail folder among the recipients, and
// BannerRecipient for the desktop alone, when there is neither mail nor folder.
const (
	FolderRecipient = "mail folder"
	BannerRecipient = "banner"
)

// Refusal says how a delivery failed, which decides when it is tried again.
type Refusal string

// The ways in which a delivery fails.
const (
	Temporary      Refusal = "temporary" // 4xx, a quota, no answer before the data: the mail ladder
	MessageRefused Refusal = "message"   // this message, for good: its content or its recipient
	AccountRefused Refusal = "account"   // every message, for good: login, sender, TLS or AUTH not offered
	AnswerUnknown  Refusal = "unknown"   // the data is out and no answer came: the same bytes go again
)

// DeliveryError is a failed delivery. Err has context and cause and never a
// password; Hint says what the user can do, and may be empty.
type DeliveryError struct {
	Refusal Refusal
	Err     error
	Hint    string
}

func (e *DeliveryError) Error() string {
	if e.Hint == "" {
		return e.Err.Error()
	}
	return e.Err.Error() + " (" + e.Hint + ")"
}

func (e *DeliveryError) Unwrap() error { return e.Err }

// Notifier shows a desktop banner. Notify must not block; what cannot be shown
// is dropped and logged by the notifier.
type Notifier interface {
	Notify(Banner)
}

// Banner is one desktop notification, as plain text that may hold anything a
// portal wrote: the notifier cleans and escapes it.
type Banner struct {
	Title string
	Body  string
	URL   string // opened by a click; "" for none
}
