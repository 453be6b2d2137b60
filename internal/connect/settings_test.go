package connect

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func environment(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func writeFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const standardConf = "\ufeff# comment\r\n! another\r\nwebServiceUrl = http://conf:8080/ \r\n" +
	"brokerServiceUrl=pulsar://conf:6650/\r\nauthPlugin=org.apache.pulsar.client.impl.auth.AuthenticationToken\r\n" +
	"authParams=token:abc-secret\r\ntlsTrustCertsFilePath=ca.pem\r\ntlsAllowInsecureConnection=true\r\n" +
	"tlsEnableHostnameVerification=false\r\nuseKeyStoreTls=false\r\nnew.thing=1\r\n"

// TestWhichSettingWins is O37.
func TestWhichSettingWins(t *testing.T) {
	conf := writeFile(t, standardConf)
	for _, test := range []struct {
		name  string
		flags map[string]string
		env   []string
		want  map[string]string // setting: value
	}{
		{"default", nil, nil, map[string]string{ServiceURL: "pulsar://localhost:6650", AdminURL: "http://localhost:8080"}},
		{"file", map[string]string{ClientConf: conf}, nil, map[string]string{
			ServiceURL: "pulsar://conf:6650/", AdminURL: "http://conf:8080/", Token: "abc-secret", TLSTrustCerts: "ca.pem",
			TLSInsecure: "true", TLSAnyHost: "true"}},
		{"file by environment", nil, []string{"PULSAR_CLIENT_CONF", conf},
			map[string]string{ServiceURL: "pulsar://conf:6650/"}},
		{"environment over file", map[string]string{ClientConf: conf}, []string{"PULSAR_SERVICE_URL", "pulsar://env:1"},
			map[string]string{ServiceURL: "pulsar://env:1", AdminURL: "http://conf:8080/"}},
		{"flag over environment", map[string]string{ServiceURL: "pulsar://flag:1"},
			[]string{"PULSAR_SERVICE_URL", "pulsar://env:1"},
			map[string]string{ServiceURL: "pulsar://flag:1", AdminURL: ""}},
		{"an empty flag takes away", map[string]string{ClientConf: conf, Token: "", TLSTrustCerts: ""}, nil,
			map[string]string{Token: "", TLSTrustCerts: ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := Resolve(test.flags, environment(test.env...))
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range test.want {
				if got := c.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		})
	}
}

func TestTheThreeSpellingsOfAuthParams(t *testing.T) {
	for params, want := range map[string][2]string{
		"token:x":                {Token, "x"},
		"x":                      {Token, "x"},
		"file:///p/token":        {TokenFile, "/p/token"},
		"file:/p/token":          {TokenFile, "/p/token"},
		`{"token":"x"}`:          {Token, "x"},
		`{"file":"/p/token"}`:    {TokenFile, "/p/token"},
		`{"file":"file:///p/t"}`: {TokenFile, "/p/t"},
	} {
		conf := writeFile(t, "authPlugin=org.apache.pulsar.client.impl.auth.AuthenticationToken\nauthParams="+params+"\n")
		c, err := Resolve(map[string]string{ClientConf: conf}, environment())
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Get(want[0]); got != want[1] {
			t.Errorf("%s: %s is %q, want %q", params, want[0], got, want[1])
		}
	}
	conf := writeFile(t, "authPlugin=org.apache.pulsar.client.impl.auth.AuthenticationTls\n"+
		"authParams=tlsCertFile:/c,tlsKeyFile:/k\n")
	c, err := Resolve(map[string]string{ClientConf: conf}, environment())
	if err != nil {
		t.Fatal(err)
	}
	if way, err := c.credentials(); way != withCertificate || c.Get(TLSKey) != "/k" || err != nil {
		t.Errorf("way %v, key %q, error %v", way, c.Get(TLSKey), err)
	}
	conf = writeFile(t, "authPlugin=org.apache.pulsar.client.impl.auth.oauth2.AuthenticationOAuth2\n"+
		`authParams={"issuerUrl":"https://i","audience":"a","privateKey":"file:///k.json","scope":"s"}`+"\n")
	if c, err = Resolve(map[string]string{ClientConf: conf}, environment()); err != nil {
		t.Fatal(err)
	}
	if way, _ := c.credentials(); way != withOAuth2 || c.Get(OAuth2KeyFile) != "/k.json" || c.Get(OAuth2Scope) != "s" {
		t.Errorf("way %v, %q", way, c.Explain())
	}
}

func TestTheHigherWayToLogInWins(t *testing.T) {
	flags := map[string]string{TokenFile: "/p"}
	c, err := Resolve(flags, environment("PULSAR_TOKEN", "x"))
	if err != nil {
		t.Fatal(err)
	}
	if way, _ := c.credentials(); way != withTokenFile {
		t.Errorf("way %v, want the file of the flag", way)
	}
	flags[Token] = "y"
	_, err = Resolve(flags, environment())
	if err == nil || !strings.Contains(err.Error(), "flag --token and flag --token-file are two ways to log in") {
		t.Errorf("error %v", err)
	}
}

func TestRefusedConnections(t *testing.T) {
	for want, flags := range map[string]map[string]string{
		"does not start with pulsar:// or pulsar+ssl://": {ServiceURL: "http://broker:8080"},
		"is not a URL such as http://host:port":          {AdminURL: "broker"},
		"is neither true nor false":                      {TLSInsecure: "yes"},
		"give both --tls-cert and --tls-key":             {TLSCert: "c.pem"},
		"OAuth2 needs a file with client credentials":    {OAuth2Issuer: "https://i"},
		"read the client.conf":                           {ClientConf: "/does/not/exist"},
		"exists for Java only": {
			ClientConf: writeFile(t, "authPlugin=com.acme.Kerberos\nauthParams=secret\n")},
		"Java key stores cannot be read": {ClientConf: writeFile(t, "useKeyStoreTls=true\n")},
		"this is not a JSON object": {
			ClientConf: writeFile(t, "authPlugin=token\nauthParams={\"token\": secret\n")},
	} {
		_, err := Resolve(flags, environment())
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A URL with a secret is refused, wherever it comes from, and no error shows the secret: what is accepted may be shown
// by anything that logs, the Pulsar client included.
func TestURLsWithSecretsAreRefusedAndNotShown(t *testing.T) {
	for name, urls := range map[string][]string{
		ServiceURL: {
			"pulsar://me:s3cret@broker:6650", "pulsar://s3cret@broker", "pulsar+ssl://a:1,me:s3cret@b:2",
			"pulsar://me:s3%zzcret@broker", "pulsar://me:1/s3cret@broker", "pulsar://me:s3cret?@broker", "me:s3cret@broker:1",
			"pulsar:/me:s3cret@broker", "pulsar://broker:6650?token=s3cret", "pulsar://broker:6650/#s3cret",
			"pulsar://a:1?token=s3cret,b:2", "http://me:s3cret@broker:8080", "pulsar://me:s3,cret@broker", "//me:s3cret@b",
			"pulsar://me:s3\x00cret@broker", "?token=s3cret", "me:s3cret://x@broker",
		},
		AdminURL: {
			"http://me:s3cret@broker:8080", "https://s3cret@broker", "http://broker/?auth=s3cret", "broker?token=s3cret",
			"http://broker:8080/admin/me:s3cret@x", "http://broker:8080#s3cret",
		},
		OAuth2Issuer: {"https://me:s3cret@issuer", "https://issuer/?client_secret=s3cret"},
	} {
		for _, u := range urls {
			conf := "authPlugin=oauth2\nauthParams={\"issuerUrl\":" + strconv.Quote(u) + "}\n"
			at := slices.IndexFunc(Settings(), func(s Setting) bool { return s.Name == name })
			if keys := Settings()[at].conf; keys != nil {
				conf = keys[0] + "=" + u + "\n"
			}
			for from, resolve := range map[string]func() (*Config, error){
				"flag": func() (*Config, error) { return Resolve(map[string]string{name: u}, environment()) },
				"environment": func() (*Config, error) {
					return Resolve(nil, environment(Setting{Name: name}.Env(), u))
				},
				"file": func() (*Config, error) {
					return Resolve(map[string]string{ClientConf: writeFile(t, conf)}, environment())
				},
			} {
				c, err := resolve()
				switch {
				case err == nil:
					t.Errorf("%s by %s is accepted: %q", u, from, c.Explain())
				case strings.Contains(err.Error(), "s3"):
					t.Errorf("%s by %s: %v", u, from, err)
				}
			}
		}
	}
}

// A client.conf may be broken in the middle of its token.
func TestAClientConfIsReadAsJavaReadsIt(t *testing.T) {
	for conf, token := range map[string]string{
		"authPlugin=token\nauthParams=token:\\\n   s3cret\\\r\nmore\n": "s3cretmore",
		"authPlugin token\nauthParams:token:s3cret":                    "s3cret",
		"authPlugin=token\nauthParams = token:s3cret\\":                "s3cret",
		"authPlugin=token\nauthParams=token:x\ns3cret.a1\n":            "x",
		"authPlugin=token\nauthParams=token:x\ns3cret_=a\n":            "x",
	} {
		c, err := Resolve(map[string]string{ClientConf: writeFile(t, conf)}, environment())
		if err != nil {
			t.Errorf("%q: %v", conf, err)
			continue
		}
		if c.Get(Token) != token || strings.Contains(strings.Join(append(c.Explain(), c.Warnings...), "\n"), "s3cret") {
			t.Errorf("%q: token %q, shown %q, warnings %q", conf, c.Get(Token), c.Explain(), c.Warnings)
		}
	}
	if _, err := Resolve(map[string]string{ClientConf: "/dev/zero"}, environment()); err == nil ||
		!strings.Contains(err.Error(), "larger than 4 MiB") {
		t.Errorf("a file without an end: %v", err)
	}
}

// Secrets are never shown; where they come from is.
func TestExplainHidesSecrets(t *testing.T) {
	flags := map[string]string{ClientConf: writeFile(t, standardConf), ServiceURL: "pulsar://flag:1"}
	c, err := Resolve(flags, environment())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Join(c.Explain(), "\n")
	if strings.Contains(lines, "abc-secret") {
		t.Errorf("the secret is in %s", lines)
	}
	for _, want := range []string{
		"token = (secret), from authParams in ", "service-url = pulsar://flag:1, from flag --service-url",
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %q in\n%s", want, lines)
		}
	}
	want := []string{"not known here: new.thing", "any server certificate is accepted"}
	if len(c.Warnings) != len(want) {
		t.Fatalf("warnings %q", c.Warnings)
	}
	for i, w := range want {
		if !strings.Contains(c.Warnings[i], w) {
			t.Errorf("warning %q, want %q", c.Warnings[i], w)
		}
	}
}

func TestTheNamesOfSettingsAreThoseOfTheirVariables(t *testing.T) {
	got := Setting{Name: OAuth2KeyFile}.Env()
	if diff := cmp.Diff("PULSAR_OAUTH2_KEY_FILE", got); diff != "" {
		t.Error(diff)
	}
}
