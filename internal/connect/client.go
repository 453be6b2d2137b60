package connect

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
)

// operationTimeout bounds look-ups, and the creation of producers and readers.
const operationTimeout = 12 * time.Second

// Client probes the broker, so that an error says what is wrong, and returns a Pulsar client. debug receives the
// client's log, and may be nil.
func (c *Config) Client(ctx context.Context, debug *slog.Logger) (pulsar.Client, error) {
	if err := c.needService(); err != nil {
		return nil, err
	}
	if err := c.probe(ctx); err != nil {
		return nil, err
	}
	auth, err := c.authentication()
	if err != nil {
		return nil, err
	}
	var anyHost *tls.Config // the client cannot check a certificate without its host
	if c.isOn(TLSAnyHost) && !c.isOn(TLSInsecure) {
		if anyHost, err = c.tlsConfig(""); err != nil {
			return nil, err
		}
	}
	if debug == nil {
		debug = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	client, err := pulsar.NewClient(pulsar.ClientOptions{
		URL:                        c.Get(ServiceURL),
		ConnectionTimeout:          probeTimeout,
		OperationTimeout:           operationTimeout,
		Authentication:             auth,
		TLSTrustCertsFilePath:      c.Get(TLSTrustCerts),
		TLSCertificateFile:         c.Get(TLSCert),
		TLSKeyFilePath:             c.Get(TLSKey),
		TLSAllowInsecureConnection: c.isOn(TLSInsecure),
		TLSValidateHostname:        !c.isOn(TLSInsecure),
		TLSConfig:                  anyHost,
		Logger:                     log.NewLoggerWithSlog(debug),
	})
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", c.Get(ServiceURL), err)
	}
	return client, nil
}

// authentication returns the client's authentication, nil for none. A token is read anew for each connection.
func (c *Config) authentication() (pulsar.Authentication, error) {
	way, err := c.credentials()
	if err != nil {
		return nil, err
	}
	switch way {
	case withToken, withTokenFile:
		return pulsar.NewAuthenticationTokenFromSupplier(c.token), nil
	case withCertificate:
		return pulsar.NewAuthenticationTLS(c.Get(TLSCert), c.Get(TLSKey)), nil
	case withOAuth2:
		params, err := json.Marshal(map[string]string{
			"type":       "client_credentials",
			"issuerUrl":  c.Get(OAuth2Issuer),
			"audience":   c.Get(OAuth2Audience),
			"clientId":   c.Get(OAuth2ClientID),
			"scope":      c.Get(OAuth2Scope),
			"privateKey": c.Get(OAuth2KeyFile),
		})
		if err != nil {
			return nil, err
		}
		return pulsar.NewAuthentication("oauth2", string(params))
	case withBasic:
		user, password := c.basicAuth()
		return pulsar.NewAuthenticationBasic(user, password)
	}
	return nil, nil
}
