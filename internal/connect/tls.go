package connect

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
)

// tlsConfig returns how to speak TLS with a host.
func (c *Config) tlsConfig(host string) (*tls.Config, error) {
	t := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12, InsecureSkipVerify: c.isOn(TLSInsecure)}
	if path := c.Get(TLSTrustCerts); path != "" {
		data, err := readFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the certificates to trust: %w", err)
		}
		t.RootCAs = x509.NewCertPool()
		if !t.RootCAs.AppendCertsFromPEM(data) {
			return nil, fmt.Errorf("read the certificates to trust: %s contains no certificate in PEM", path)
		}
	}
	if path := c.Get(TLSCert); path != "" {
		cert, err := tls.LoadX509KeyPair(path, c.Get(TLSKey))
		if err != nil {
			return nil, fmt.Errorf("read the client certificate %s and its key: %w", path, err)
		}
		t.Certificates = []tls.Certificate{cert}
	}
	if c.isOn(TLSAnyHost) && !c.isOn(TLSInsecure) {
		roots := t.RootCAs
		t.InsecureSkipVerify = true // the chain is verified below, the host is not
		t.VerifyConnection = func(s tls.ConnectionState) error { return verifyChain(s, roots) }
	}
	return t, nil
}

func verifyChain(s tls.ConnectionState, roots *x509.CertPool) error {
	between := x509.NewCertPool()
	for _, cert := range s.PeerCertificates[1:] {
		between.AddCert(cert)
	}
	_, err := s.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between})
	return err
}

// explainTLS says what is wrong with a TLS handshake, and what to do.
func (c *Config) explainTLS(host string, err error) error {
	trusted := "the system's certificates"
	if path := c.Get(TLSTrustCerts); path != "" {
		trusted = path
	}
	var wrongHost x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var noTLS tls.RecordHeaderError
	switch {
	case errors.As(err, &noTLS):
		return fmt.Errorf("this does not speak TLS: does the URL need pulsar:// or http:// instead?")
	case errors.As(err, &wrongHost):
		return fmt.Errorf("the server's certificate is for %v, not for %s: use one of these names, or --tls-any-host",
			wrongHost.Certificate.DNSNames, host)
	case errors.As(err, &unknown):
		return fmt.Errorf("the server's certificate is signed by %q, which %s does not contain: give --tls-trust-certs",
			unknown.Cert.Issuer.String(), trusted)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Errorf("the server's certificate is valid from %s to %s: is the clock right?",
			invalid.Cert.NotBefore.UTC(), invalid.Cert.NotAfter.UTC())
	}
	return err
}
