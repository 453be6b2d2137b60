package connect

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// A kind of credentials.
type kind int

const (
	anonymous kind = iota
	withToken
	withTokenFile
	withCertificate
	withOAuth2
	withBasic
)

// ways are the settings that decide how to log in, the ones that exclude each other.
var ways = []struct {
	setting string
	kind    kind
}{
	{Token, withToken}, {TokenFile, withTokenFile}, {OAuth2Issuer, withOAuth2}, {basic, withBasic},
}

// credentials returns how to log in. Of several ways the one from the higher source counts; two of one source are an
// error. A client certificate takes part in TLS whatever else there is.
func (c *Config) credentials() (kind, error) {
	found, at := anonymous, -1
	for i, way := range ways {
		v := c.values[way.setting]
		switch {
		case v.text == "":
		case at < 0 || v.level > c.values[ways[at].setting].level:
			found, at = way.kind, i
		case v.level == c.values[ways[at].setting].level:
			return 0, fmt.Errorf("%s and %s are two ways to log in: give one of them",
				c.values[ways[at].setting].from, v.from)
		}
	}
	if found == anonymous && c.Get(TLSCert) != "" {
		return withCertificate, nil
	}
	if found == withOAuth2 && c.Get(OAuth2KeyFile) == "" {
		return 0, errors.New("OAuth2 needs a file with client credentials: give --oauth2-key-file")
	}
	return found, nil
}

// token returns the token, which is read anew from its file each time, so that a new one is taken up.
func (c *Config) token() (string, error) {
	way, err := c.credentials()
	switch {
	case err != nil:
		return "", err
	case way == withToken:
		return strings.TrimSpace(c.Get(Token)), nil
	case way != withTokenFile:
		return "", nil
	}
	path := c.Get(TokenFile)
	data, err := readFile(path)
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", fmt.Errorf("read the token: %s is empty", path)
	}
	return token, nil
}

// describeToken says why a JSON Web Token may be refused: it has expired, or it is not yet valid here. It returns "" if
// nothing is wrong with its times.
func describeToken(token string, now time.Time) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	var claims struct {
		NotBefore float64 `json:"nbf"`
		Expires   float64 `json:"exp"`
	}
	data, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil || json.Unmarshal(data, &claims) != nil {
		return ""
	}
	at := func(seconds float64) string { return time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339) }
	switch here := now.UTC().Format(time.RFC3339); {
	case claims.Expires != 0 && float64(now.Unix()) >= claims.Expires:
		return fmt.Sprintf("the token expired at %s, here it is %s", at(claims.Expires), here)
	case float64(now.Unix()) < claims.NotBefore:
		return fmt.Sprintf("the token is valid from %s on, here it is %s: do the clocks agree?", at(claims.NotBefore), here)
	}
	return ""
}

// hide takes secrets out of what the other side says: some answer with the token that they refuse.
func hide(said string, secrets ...string) string {
	for _, secret := range secrets {
		if secret != "" {
			said = strings.ReplaceAll(said, secret, "(secret)")
		}
	}
	return said
}

// HideSecrets returns a writer of log lines that takes token and password out of them, and passes them to w.
func (c *Config) HideSecrets(w io.Writer) io.Writer {
	token, _ := c.token() // a file that cannot be read is told of elsewhere
	_, password := c.basicAuth()
	return hiding{w, []string{token, password}}
}

type hiding struct {
	to      io.Writer
	secrets []string
}

func (h hiding) Write(line []byte) (int, error) {
	_, err := io.WriteString(h.to, hide(string(line), h.secrets...))
	return len(line), err
}

func (c *Config) basicAuth() (user, password string) {
	user, password, _ = strings.Cut(c.Get(basic), ":")
	return user, password
}
