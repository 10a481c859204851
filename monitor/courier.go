package monitor

import "context"

// Destination is one place where listings are told: a recipient of mail, the mail
// folder, or the desktop alone where there is neither.
type Destination struct {
	Name string // an address, FolderRecipient or BannerRecipient; unique
	// Account is what destinations share that are reached through one server and login:
	// they take turns, and have its troubles in common. "" shares nothing.
	Account string
	Courier Courier // nil of BannerRecipient
}

// The names of the destinations that have no address.
const (
	FolderRecipient = "mail folder"
	BannerRecipient = "banner"
)

// Courier takes a letter to its destination: over SMTP, or into a mail folder.
type Courier interface {
	// Deliver composes the letter (or sends Raw as it is) and returns nil once the
	// other side has answered for it: the 250 to the data, or a file that is
	// written, synced and renamed. Just before the point of no return it calls seal
	// with the bytes; when seal fails, nothing is sent. Every step has a deadline.
	// An error that is not a *DeliveryError counts as temporary.
	Deliver(ctx context.Context, l Letter, seal func(raw []byte) error) error
}

// Letter is one message to one destination.
type Letter struct {
	ID     string // Message-ID, without angle brackets
	To     string // Destination.Name
	Alerts []Alert
	// Notices are troubles that have lasted, and their ends. They ride along, or
	// make a letter of their own.
	Notices []Banner
	Plain   bool   // plain text only
	Raw     []byte // not nil: send these very bytes
}

// Refusal says how a delivery failed, which decides when it is tried again.
type Refusal string

// The ways in which a delivery fails.
const (
	Temporary      Refusal = "temporary" // 4xx, a quota, no answer before the data: the ladder
	MessageRefused Refusal = "message"   // this message, for good: its content
	TooLarge       Refusal = "too large" // this message, for its size: half of it may pass
	AccountRefused Refusal = "account"   // every message, for good: login, sender, recipient, TLS or AUTH not offered
	AnswerUnknown  Refusal = "unknown"   // the data is out and no answer came: the same bytes go again
)

// DeliveryError is a failed delivery. Err has context and cause and never a
// password; Hint says what the user can do, and may be empty.
type DeliveryError struct {
	Refusal Refusal
	// Recipient says that the server spoke of this recipient, and not of the account
	// that others share with it.
	Recipient bool
	Err       error
	Hint      string
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

// Teller is told what the checks have found, and tells it. Nothing of it waits.
type Teller interface {
	// News says that alerts were saved; over, that their cycle has ended, so that
	// nothing more will come with them.
	News(over bool)
	// Notice shows a banner about something else than a listing, or mails it.
	Notice(b Banner, mail bool)
	// Awake says that the machine has slept: what waited is tried again.
	Awake()
}
