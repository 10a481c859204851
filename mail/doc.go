// Package mail takes a letter to its reader: it composes the message, leads one
// SMTP conversation, or writes the message into a mail folder (a Maildir).
//
// Server and Folder are monitor.Couriers. Both say how a delivery failed and what
// the user can do; when to try again, and with what, is the monitor's business.
// The package does not read the configuration; the mail's password comes from
// Passwords, which looks where the user may have put it.
//
// MIME is github.com/jordan-wright/email's, but nothing more of it: it has no
// deadlines and leaves out STARTTLS and AUTH without a word. The headers and the
// conversation are written here, the latter on net/smtp, with a deadline on every
// step and with TLS and AUTH required.
package mail
