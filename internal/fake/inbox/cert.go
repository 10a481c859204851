package inbox

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// certificate makes a certificate that signs itself, for loopback. It is valid
// from before 2000, where the clock of a synctest bubble starts.
func certificate() tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err) // there is no randomness on this machine
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: "inbox.test"},
		NotBefore:    time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:     time.Date(2149, 1, 1, 0, 0, 0, 0, time.UTC),
		DNSNames:     []string{"localhost", "*.localhost", "inbox.test"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		KeyUsage:     x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA:         true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err) // the template above is wrong
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// CertFile writes the server's certificate to a file of the test. A Go program
// that is started with SSL_CERT_FILE set to it trusts the server (not on Windows
// and macOS, which ask the system).
func (i *Inbox) CertFile(t testing.TB) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "inbox.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: i.cert.Leaf.Raw})
	if err := os.WriteFile(name, block, 0o600); err != nil {
		t.Fatalf("inbox: %v", err)
	}
	return name
}
