package connect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// ignored are keys of the client.conf that Pulsar ships which mean nothing here.
var ignored = []string{
	"proxyServiceUrl", "proxyProtocol", "tlsProvider", "tlsTrustStoreType", "tlsTrustStorePath", "tlsTrustStorePassword",
	"tlsKeyStoreType", "tlsKeyStorePath", "tlsKeyStorePassword", "webserviceTlsProvider", "memoryLimit",
}

// readClientConf reads a client.conf of Pulsar's tools. A relative path in it starts at the working folder, as there.
func (c *Config) readClientConf(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the client.conf: %w", err)
	}
	from := func(key string) string { return key + " in " + path }
	set := func(name, text, key string) {
		if text != "" {
			c.values[name] = value{text, byFile, from(key)}
		}
	}
	conf := parseProperties(data)
	var unknown []string
	for key, text := range conf {
		switch key {
		case "authPlugin", "authParams":
		case "useKeyStoreTls":
			if text == "true" {
				return fmt.Errorf("%s: Java key stores cannot be read: give PEM files with --tls-trust-certs, --tls-cert "+
					"and --tls-key", from(key))
			}
		case "tlsEnableHostnameVerification":
			if text == "false" {
				set(TLSAnyHost, "true", key)
			}
		default:
			known := slices.Contains(ignored, key)
			for _, s := range Settings() {
				if slices.Contains(s.conf, key) {
					set(s.Name, text, key)
					known = true
				}
			}
			if !known {
				unknown = append(unknown, text2(key))
			}
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s: not known here: %s", path, strings.Join(unknown, ", ")))
	}
	return c.readAuth(conf["authPlugin"], conf["authParams"], path)
}

func text2(key string) string { return text.Escape(text.Shorten(key, 60)) }

// parseProperties reads lines of key=value. Of a repeated key the last one counts.
func parseProperties(data []byte) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(string(bytes.TrimPrefix(data, []byte("\ufeff")))) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		key, text, _ := strings.Cut(line, "=")
		all[strings.TrimSpace(key)] = strings.TrimSpace(text)
	}
	return all
}

// The authentication plugins of the Java client that the Go client has too, by the end of their class names.
const authPackage = "org.apache.pulsar.client.impl.auth."

// readAuth takes over authPlugin and authParams. The parameters are never part of an error.
func (c *Config) readAuth(plugin, params, path string) error {
	if plugin == "" {
		return nil
	}
	from := "authParams in " + path
	fields, err := authFields(params)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	set := func(name string, keys ...string) {
		for _, key := range keys {
			if text := fields[key]; text != "" && c.values[name].text == "" {
				c.values[name] = value{strings.TrimPrefix(strings.TrimPrefix(text, "file://"), "file:"), byFile, from}
			}
		}
	}
	switch strings.TrimPrefix(plugin, authPackage) {
	case "AuthenticationToken", "token":
		if text, ok := strings.CutPrefix(params, "file:"); ok {
			c.values[TokenFile] = value{strings.TrimPrefix(text, "//"), byFile, from}
			return nil
		}
		set(TokenFile, "file")
		set(Token, "token")
		if len(fields) == 0 && params != "" {
			c.values[Token] = value{params, byFile, from}
		}
	case "AuthenticationTls", "tls":
		set(TLSCert, "tlsCertFile")
		set(TLSKey, "tlsKeyFile")
	case "oauth2.AuthenticationOAuth2", "oauth2":
		set(OAuth2Issuer, "issuerUrl")
		set(OAuth2Audience, "audience")
		set(OAuth2ClientID, "clientId")
		set(OAuth2Scope, "scope")
		set(OAuth2KeyFile, "privateKey")
	case "AuthenticationBasic", "basic":
		pair := params
		if user := fields["userId"]; user != "" {
			pair = user + ":" + fields["password"]
		}
		c.values[basic] = value{pair, byFile, from}
	default:
		return fmt.Errorf("authPlugin in %s: the plugin %s exists for Java only: use a token, TLS certificates or OAuth2",
			path, text2(plugin))
	}
	return nil
}

// authFields reads authParams as a JSON object or as name:value pairs, separated by commas.
func authFields(params string) (map[string]string, error) {
	fields := map[string]string{}
	if strings.HasPrefix(params, "{") {
		if json.Unmarshal([]byte(params), &fields) != nil {
			return nil, fmt.Errorf("this is not a JSON object of texts")
		}
		return fields, nil
	}
	for _, pair := range strings.Split(params, ",") {
		if name, text, ok := strings.Cut(pair, ":"); ok {
			fields[strings.TrimSpace(name)] = strings.TrimSpace(text)
		}
	}
	return fields, nil
}
