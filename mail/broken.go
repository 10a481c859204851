package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"strings"
	"syscall"
	"time"

	"notifio.app/notifio/monitor"
)

// explain turns what went wrong in a step into a *monitor.DeliveryError.
func (c *conversation) explain(at step, limit time.Duration, err error) error {
	var said *textproto.Error
	if errors.As(err, &said) {
		return c.refused(at, said)
	}
	// After the dot nobody knows; before it, nothing has been sent.
	refusal, hint := monitor.Temporary, ""
	if at == atAnswer {
		refusal, hint = monitor.AnswerUnknown, "it may have arrived; Notifio sends the same message again"
	}
	address := c.config.address()
	var header tls.RecordHeaderError
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case c.ctx.Err() != nil:
		return refuse(refusal, "", fmt.Errorf("%s: cut short at %s: %w", address, at, c.ctx.Err()))
	case errors.As(err, &header):
		return refuse(monitor.AccountRefused, c.config.notTLS(header), fmt.Errorf("%s: answers without TLS: %w", address, err))
	case at == atTLS || at == atStartTLS:
		if refusal, hint, ok := badTLS(err); ok {
			return refuse(refusal, hint, fmt.Errorf("%s: %w", address, err))
		}
	case errors.As(err, &dns):
		return refuse(refusal, "check the network and `host`", fmt.Errorf("%s: %s: %w", c.config.Host, lookup(dns), err))
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return refuse(refusal, c.config.timeoutHint(at, hint), fmt.Errorf("%s: %s within %s: %w", address, silence(at), limit, context.DeadlineExceeded))
	case errors.Is(err, syscall.ECONNREFUSED):
		return refuse(refusal, "is the port right? 587 and 465 are the usual ones", fmt.Errorf("%s: nobody answers at this port: %w", address, err))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return refuse(refusal, hint, fmt.Errorf("%s: %s: %w", address, hungUp(at), err))
	case isProtocolError(err):
		return refuse(refusal, "check host and port: is this a mail server?",
			fmt.Errorf("%s: at %s it answers %q, which is not SMTP", address, at, oneLine(c.redact(err.Error()))))
	}
	return refuse(refusal, hint, fmt.Errorf("%s: %s: %w", address, at, err))
}

func silence(at step) string {
	switch at {
	case atConnect:
		return "no connection"
	case atGreeting:
		return "no greeting"
	case atMessage:
		return "the message did not get through"
	default:
		return "no answer to " + string(at)
	}
}

func hungUp(at step) string {
	switch at {
	case atGreeting:
		return "closed the connection without a greeting"
	case atMessage:
		return "closed the connection in the middle of the message"
	case atAnswer:
		return "closed the connection after the message, without an answer"
	default:
		return "closed the connection at " + string(at)
	}
}

func isProtocolError(err error) bool {
	var protocol textproto.ProtocolError
	return errors.As(err, &protocol)
}

// badTLS tells apart what TLS complains about. A certificate that cannot be
// believed counts as temporary: the sign-in page of a hotel or a train shows one
// until it is answered, an expired one is renewed, and since neither a password
// nor a listing has been sent, asking again does no harm.
func badTLS(err error) (r monitor.Refusal, hint string, ok bool) {
	var invalid x509.CertificateInvalidError
	var hostname x509.HostnameError
	var unverified *tls.CertificateVerificationError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return monitor.Temporary, "the certificate is out of date, or this computer's clock is wrong", true
	case errors.As(err, &hostname):
		return monitor.Temporary, "is the host name right? a network that wants a sign-in page answered first looks the same", true
	case errors.As(err, &unverified):
		return monitor.Temporary, "the certificate cannot be trusted; is there a sign-in page on this network, or a program that inspects mail?", true
	case strings.Contains(err.Error(), "protocol version"):
		return monitor.AccountRefused, "the server knows only versions of TLS below 1.2, which are not safe", true
	}
	return "", "", false
}

// notTLS names the setting that fits a port which answered in clear text.
func (c Config) notTLS(header tls.RecordHeaderError) string {
	if strings.HasPrefix(string(header.RecordHeader[:]), "220") && c.TLS == TLSImplicit {
		return "this port starts in clear text: set tls = \"starttls\""
	}
	return "check host and port"
}

func (c Config) withoutStartTLS() string {
	if loopback(c.Host) {
		return "a server on this machine may go without: set tls = \"none\""
	}
	return "use port 465, or 587 of a server that offers it; the network may also be hiding it"
}

// timeoutHint adds what a silent port is most likely to mean.
func (c Config) timeoutHint(at step, usual string) string {
	switch {
	case at == atGreeting && c.Port == 465 && c.TLS != TLSImplicit:
		return "port 465 wants TLS from the first byte: set tls = \"tls\""
	case at == atConnect && c.Port == 25:
		return "many networks block port 25: use 587 or 465"
	}
	return usual
}

func lookup(err *net.DNSError) string {
	if err.IsNotFound {
		return "name not found"
	}
	return "the name could not be looked up"
}
