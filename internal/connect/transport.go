package connect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
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
	own := &transport{config: c, way: way, next: t}
	if way == withOAuth2 {
		if own.source, err = c.oauth2(); err != nil {
			return nil, err
		}
	}
	return own, nil
}

// A transport logs in. The admin package's own reads a token once, when it is made, and asks an OAuth2 issuer without
// the scope.
type transport struct {
	config *Config
	way    kind
	source tokenSource // for OAuth2
	next   http.RoundTripper
}

// A tokenSource is the Pulsar client's way to log in with OAuth2. It keeps a token until that is about to expire.
type tokenSource interface{ GetData() ([]byte, error) }

// oauth2 returns what asks the issuer for tokens.
func (c *Config) oauth2() (tokenSource, error) {
	provider, err := c.authentication()
	if err != nil {
		return nil, fmt.Errorf("log in with OAuth2: %w", err)
	}
	source, ok := provider.(interface {
		tokenSource
		Init() error
	})
	if !ok {
		return nil, errors.New("log in with OAuth2: the Pulsar client hands out no tokens")
	}
	if err := source.Init(); err != nil {
		return nil, fmt.Errorf("log in with OAuth2: %w", err)
	}
	return source, nil
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
	case withOAuth2:
		token, err := t.source.GetData()
		if err != nil {
			cancel()
			return nil, fmt.Errorf("log in with OAuth2 at %s: %w", t.config.Get(OAuth2Issuer), err)
		}
		r.Header.Set("Authorization", "Bearer "+string(token))
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
	if response.StatusCode >= http.StatusBadRequest {
		return t.withoutSecrets(r, response)
	}
	return response, nil
}

// maxRefusal is how much is read of an answer that says why a request failed, in bytes.
const maxRefusal = 64 << 10

// withoutSecrets hides the credentials of a request in an answer that may be part of an error.
func (t *transport) withoutSecrets(r *http.Request, response *http.Response) (*http.Response, error) {
	defer response.Body.Close()
	said, err := io.ReadAll(io.LimitReader(response.Body, maxRefusal))
	if err != nil {
		return nil, err
	}
	_, sent, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	_, password := t.config.basicAuth()
	response.Body = io.NopCloser(strings.NewReader(hide(string(said), sent, password)))
	response.ContentLength = -1
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
