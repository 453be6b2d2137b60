package connect

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/admin/auth"
)

// httpTimeout bounds one request to the admin API.
const httpTimeout = 10 * time.Second

// Transport returns what carries requests to the admin API: TLS and the credentials.
func (c *Config) Transport() (http.RoundTripper, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: probeTimeout}).DialContext
	t.TLSHandshakeTimeout = probeTimeout
	t.ResponseHeaderTimeout = httpTimeout
	tlsConfig, err := c.tlsConfig("") // the transport sets the host of each request
	if err != nil {
		return nil, err
	}
	t.TLSClientConfig = tlsConfig
	way, err := c.credentials()
	if err != nil {
		return nil, err
	}
	if way == withOAuth2 {
		p, err := auth.NewAuthenticationOAuth2WithParams(c.Get(OAuth2Issuer), c.Get(OAuth2ClientID), c.Get(OAuth2Audience),
			c.Get(OAuth2KeyFile), t)
		if err != nil {
			return nil, fmt.Errorf("log in with OAuth2: %w", err)
		}
		return p, nil
	}
	return &transport{config: c, way: way, next: t}, nil
}

// A transport logs in. The admin package's own reads a token once, when it is made.
type transport struct {
	config *Config
	way    kind
	next   http.RoundTripper
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*httpTimeout)
	r = r.Clone(ctx)
	switch t.way {
	case withToken, withTokenFile:
		token, err := t.config.token()
		if err != nil {
			cancel()
			return nil, err
		}
		r.Header.Set("Authorization", "Bearer "+token)
	case withBasic:
		r.SetBasicAuth(t.config.basicAuth())
	}
	response, err := t.next.RoundTrip(r)
	if err != nil {
		cancel()
		if r.URL.Scheme == "https" {
			err = t.config.explainTLS(r.URL.Hostname(), err)
		}
		return nil, err
	}
	response.Body = &body{response.Body, cancel}
	return response, nil
}

// A body ends the request's context when it is closed.
type body struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *body) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
