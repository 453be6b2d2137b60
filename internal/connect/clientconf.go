package connect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
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
	data, err := readFile(path)
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
	nameless := 0
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
			switch {
			case known:
			case settingName.MatchString(key):
				unknown = append(unknown, key)
			default:
				nameless++
			}
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s: not known here: %s", path, strings.Join(unknown, ", ")))
	}
	if nameless > 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s: %s without the name of a setting", path,
			text.Count(nameless, "line")))
	}
	return c.readAuth(conf["authPlugin"], conf["authParams"], path)
}

// settingName matches keys of a client.conf that are not known here. Others are not shown: a line may be a token.
var settingName = regexp.MustCompile(`^[A-Za-z][A-Za-z.-]{0,39}$`)

// parseProperties reads lines of key=value, key:value or key value, as Java does: a line that ends with a backslash
// goes on in the next one. Of a repeated key the last one counts.
func parseProperties(data []byte) map[string]string {
	all := map[string]string{}
	begun := ""
	for line := range strings.SplitSeq(string(bytes.TrimPrefix(data, []byte("\ufeff")))+"\n", "\n") {
		line = strings.TrimSpace(line)
		if begun == "" && (line == "" || line[0] == '#' || line[0] == '!') {
			continue
		}
		if (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1 {
			begun += line[:len(line)-1]
			continue
		}
		line, begun = begun+line, ""
		end := strings.IndexAny(line, "=: \t")
		if end < 0 {
			end = len(line)
		}
		text := strings.TrimSpace(line[end:])
		if text != "" && (text[0] == '=' || text[0] == ':') {
			text = strings.TrimSpace(text[1:])
		}
		all[line[:end]] = text
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
			path, text.Escape(text.Shorten(plugin, 60)))
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
