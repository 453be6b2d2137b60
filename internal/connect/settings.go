package connect

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
)

// A Setting is one value that a connection is made of.
type Setting struct {
	Name  string // of the flag, without --
	Usage string
	Bool  bool // a flag without a value

	conf   []string // keys of client.conf
	secret bool
}

// Env returns the environment variable of a setting, such as PULSAR_SERVICE_URL.
func (s Setting) Env() string {
	return "PULSAR_" + strings.ToUpper(strings.ReplaceAll(s.Name, "-", "_"))
}

// The names of the settings.
const (
	ClientConf     = "client-conf"
	ServiceURL     = "service-url"
	AdminURL       = "admin-url"
	Token          = "token"
	TokenFile      = "token-file"
	TLSTrustCerts  = "tls-trust-certs"
	TLSCert        = "tls-cert"
	TLSKey         = "tls-key"
	TLSInsecure    = "tls-insecure"
	TLSAnyHost     = "tls-any-host"
	OAuth2Issuer   = "oauth2-issuer"
	OAuth2Audience = "oauth2-audience"
	OAuth2ClientID = "oauth2-client-id"
	OAuth2Scope    = "oauth2-scope"
	OAuth2KeyFile  = "oauth2-key-file"

	basic = "basic" // user and password of a client.conf
)

// Settings returns all settings that flags and environment variables can have, in the order of help texts.
func Settings() []Setting {
	return []Setting{
		{Name: ClientConf, Usage: "a client.conf of Pulsar's tools `FILE`"},
		{Name: ServiceURL, Usage: "the broker's `URL`, pulsar:// or pulsar+ssl:// (default pulsar://localhost:6650)",
			conf: []string{"brokerServiceUrl"}},
		{Name: AdminURL, Usage: "the admin API's `URL`, http:// or https:// (default http://localhost:8080)",
			conf: []string{"webServiceUrl"}},
		{Name: Token, Usage: "a `TOKEN`; others see it in the list of processes: better use --token-file", secret: true},
		{Name: TokenFile, Usage: "a `FILE` with a token, read again when the token is needed again"},
		{Name: TLSTrustCerts, Usage: "a PEM `FILE` of certificates to trust instead of the system's",
			conf: []string{"tlsTrustCertsFilePath"}},
		{Name: TLSCert, Usage: "a PEM `FILE` with a client certificate", conf: []string{"tlsCertificateFilePath"}},
		{Name: TLSKey, Usage: "a PEM `FILE` with its key", conf: []string{"tlsKeyFilePath"}},
		{Name: TLSInsecure, Bool: true, Usage: "accept any server certificate", conf: []string{"tlsAllowInsecureConnection"}},
		{Name: TLSAnyHost, Bool: true, Usage: "accept a trusted certificate of another host"},
		{Name: OAuth2Issuer, Usage: "the `URL` of an OAuth2 issuer, for client credentials"},
		{Name: OAuth2Audience, Usage: "the OAuth2 `AUDIENCE`"},
		{Name: OAuth2ClientID, Usage: "the OAuth2 client `ID`; by default the key file's"},
		{Name: OAuth2Scope, Usage: "the OAuth2 `SCOPE`"},
		{Name: OAuth2KeyFile, Usage: "a JSON `FILE` with OAuth2 client credentials"},
	}
}

// A level says where a value came from. The higher one wins.
type level int

const (
	byDefault level = iota
	byFile
	byEnv
	byFlag
)

// A value is a setting's value and its origin.
type value struct {
	text  string
	level level
	from  string // for people
}

// A Config is a resolved connection.
type Config struct {
	// Warnings are lines to show at each run.
	Warnings []string

	values map[string]value
}

// Resolve decides all values. flags contains the flags that were given, also empty ones, which take a value away. env
// looks an environment variable up as os.LookupEnv does.
func Resolve(flags map[string]string, env func(string) (string, bool)) (*Config, error) {
	c := &Config{values: map[string]value{}}
	if path := first(flags, env, ClientConf); path != "" {
		if err := c.readClientConf(path); err != nil {
			return nil, err
		}
	}
	for _, s := range Settings() {
		if text, ok := env(s.Env()); ok {
			c.values[s.Name] = value{text, byEnv, "environment variable " + s.Env()}
		}
	}
	for name, text := range flags {
		c.values[name] = value{text, byFlag, "flag --" + name}
	}
	if c.Get(ServiceURL) == "" && c.Get(AdminURL) == "" {
		c.values[ServiceURL] = value{"pulsar://localhost:6650", byDefault, "default"}
		c.values[AdminURL] = value{"http://localhost:8080", byDefault, "default"}
	}
	return c, c.check()
}

// FromEnvironment is Resolve for a program that has no flags.
func FromEnvironment() (*Config, error) { return Resolve(nil, os.LookupEnv) }

func first(flags map[string]string, env func(string) (string, bool), name string) string {
	if text, ok := flags[name]; ok {
		return text
	}
	text, _ := env(Setting{Name: name}.Env())
	return text
}

// Get returns the value of a setting, or "".
func (c *Config) Get(name string) string { return c.values[name].text }

// isOn reports whether a flag without a value is set.
func (c *Config) isOn(name string) bool { return c.Get(name) == "true" || c.Get(name) == "1" }

// check refuses what cannot work, and warns of what is dangerous.
func (c *Config) check() error {
	for _, u := range []struct {
		name    string
		schemes []string
	}{
		{ServiceURL, []string{"pulsar", "pulsar+ssl"}},
		{AdminURL, []string{"http", "https"}},
		{OAuth2Issuer, []string{"https", "http"}},
	} {
		if err := c.checkURL(u.name, u.schemes); err != nil {
			return err
		}
	}
	for _, name := range []string{TLSInsecure, TLSAnyHost} {
		if text := c.Get(name); !slices.Contains([]string{"", "true", "false", "0", "1"}, text) {
			return fmt.Errorf("%s: %q is neither true nor false", c.values[name].from, text)
		}
	}
	if (c.Get(TLSCert) == "") != (c.Get(TLSKey) == "") {
		return errors.New("a client certificate needs a key and a key a certificate: give both --tls-cert and --tls-key")
	}
	if c.isOn(TLSInsecure) {
		c.Warnings = append(c.Warnings, fmt.Sprintf(
			"any server certificate is accepted (%s): others can read the credentials", c.values[TLSInsecure].from))
	}
	_, err := c.credentials()
	return err
}

func (c *Config) checkURL(name string, schemes []string) error {
	text := c.Get(name)
	if text == "" {
		return nil
	}
	v := c.values[name]
	// Wherever they are in the text: what is let through is shown by errors and logs, the Pulsar client's too.
	if strings.Contains(text, "@") {
		return fmt.Errorf("%s: a user or password does not belong into the URL %s", v.from, withoutSecrets(text))
	}
	if strings.ContainsAny(text, "?#") {
		return fmt.Errorf("%s: parameters such as a token do not belong into the URL %s", v.from, withoutSecrets(text))
	}
	scheme, hosts, _ := strings.Cut(text, "://")
	if name != ServiceURL {
		hosts, _, _ = strings.Cut(hosts, ",")
	}
	for _, host := range strings.Split(hosts, ",") { // a service URL can name several brokers: pulsar://a:6650,b:6650
		u, err := url.Parse(scheme + "://" + host)
		if err != nil || u.Host == "" {
			return fmt.Errorf("%s: %q is not a URL such as %s://host:port", v.from, text, schemes[0])
		}
	}
	if !slices.Contains(schemes, scheme) {
		return fmt.Errorf("%s: %q does not start with %s://", v.from, text, strings.Join(schemes, ":// or "))
	}
	return nil
}

// withoutSecrets removes from a URL what may be a user, a password or a token. The URL may be malformed.
func withoutSecrets(text string) string {
	scheme, rest, found := strings.Cut(text, "://")
	if !found || strings.ContainsAny(scheme, "@:?#") {
		scheme, rest = "", text
	} else {
		scheme += "://"
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	return scheme + rest
}

// Explain returns a line for each value, with its origin. Secrets are not shown.
func (c *Config) Explain() []string {
	secret := map[string]bool{basic: true}
	for _, s := range Settings() {
		secret[s.Name] = s.secret
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(c.values)) {
		v := c.values[name]
		text := v.text
		if secret[name] && text != "" {
			text = "(secret)"
		}
		lines = append(lines, fmt.Sprintf("%s = %s, from %s", name, text, v.from))
	}
	return lines
}

// NeedAdmin returns an error that names the setting if there is no admin URL.
func (c *Config) NeedAdmin() error {
	if c.Get(AdminURL) != "" {
		return nil
	}
	return errors.New("the admin API is needed: give --admin-url, PULSAR_ADMIN_URL or webServiceUrl in a client.conf")
}

// needService is NeedAdmin for the broker.
func (c *Config) needService() error {
	if c.Get(ServiceURL) != "" {
		return nil
	}
	return errors.New("the broker's address is needed: give --service-url, PULSAR_SERVICE_URL or brokerServiceUrl in a " +
		"client.conf")
}
