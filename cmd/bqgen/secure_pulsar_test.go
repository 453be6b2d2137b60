package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
	"github.com/apache/pulsar-client-go/pulsaradmin"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"

	"github.com/babelqueue/bqgen/dev/pulsar/standalone"
)

// signedToken returns a JSON Web Token for a role, signed with the broker's key.
func signedToken(key []byte, claims string) string {
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(`{"alg":"HS256"}`)) + "." + encode([]byte(claims))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(signed))
	return signed + "." + encode(mac.Sum(nil))
}

// certificate writes a self-signed certificate for 127.0.0.1 and its key, and returns their files.
func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "broker"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"broker.test"},
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", pkcs8)
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// TestTokensAndTLS runs the commands on a broker that asks for tokens and speaks TLS (O36, O37, O38).
func TestTokensAndTLS(t *testing.T) {
	if os.Getenv("BQ_PULSAR_URL") == "" || testing.Short() {
		t.Skip("left out, there is no real Pulsar: run make test, or set BQ_PULSAR_URL")
	}
	t.Parallel()
	dir := t.TempDir()
	secret := []byte("0123456789abcdef0123456789abcdef")
	cert, key := certificate(t, dir)
	admin := signedToken(secret, `{"sub":"admin"}`)
	port, adminPort := freePort(t), freePort(t)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	broker, err := standalone.Start(ctx, standalone.Options{Log: testLog{t}, AdminToken: admin, Config: map[string]string{
		"numHttpServerThreads":                 "8",
		"authenticationEnabled":                "true",
		"authorizationEnabled":                 "true",
		"authenticationProviders":              "org.apache.pulsar.broker.authentication.AuthenticationProviderToken",
		"superUserRoles":                       "admin",
		"tokenSecretKey":                       "data:;base64," + base64.StdEncoding.EncodeToString(secret),
		"brokerClientAuthenticationPlugin":     "org.apache.pulsar.client.impl.auth.AuthenticationToken",
		"brokerClientAuthenticationParameters": "token:" + admin,
		"brokerServicePortTls":                 fmt.Sprint(port),
		"webServicePortTls":                    fmt.Sprint(adminPort),
		"tlsCertificateFilePath":               cert,
		"tlsKeyFilePath":                       key,
		"tlsTrustCertsFilePath":                cert,
		"brokerClientTrustCertsFilePath":       cert,
	}})
	if errors.Is(err, standalone.ErrUnavailable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { broker.Stop(context.Background()) })
	tokenFile := filepath.Join(dir, "token")
	if err := os.WriteFile(tokenFile, []byte(admin+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &cluster{
		t: t, dir: dir, place: "public/default", prefix: "secure", service: fmt.Sprintf("pulsar+ssl://127.0.0.1:%d", port),
		admin: fmt.Sprintf("https://127.0.0.1:%d", adminPort),
	}
	c.catalog("persistent://public/default/secure")
	trusting := []string{"--tls-trust-certs", cert, "--token-file", tokenFile}
	c.bqgen(exitOK, append([]string{"provision", "--yes"}, trusting...)...)
	c.bqgen(exitOK, append([]string{"status"}, trusting...)...)
	order := c.file("order.json", `{"id": 1, "customer": "c-7"}`)
	c.bqgen(exitOK, append([]string{"send", createdURN, order}, trusting...)...)
	out, _ := c.bqgen(exitOK, append([]string{"tail", "orders"}, trusting...)...)
	if !strings.Contains(out, `{"id":1,"customer":"c-7"}`) {
		t.Errorf("tail: %s", out)
	}
	c.bqgen(exitOK, append([]string{"dlq", "list", "orders"}, trusting...)...)
	c.bqgen(exitOK, append([]string{"dlq", "redrive", "orders"}, trusting...)...)
	// A client.conf of Pulsar's tools does as well.
	conf := c.file("client.conf", "brokerServiceUrl="+c.service+"\nwebServiceUrl="+c.admin+
		"\nauthPlugin=org.apache.pulsar.client.impl.auth.AuthenticationToken\nauthParams=file://"+tokenFile+
		"\ntlsTrustCertsFilePath="+cert+"\n")
	c.bqgen(exitOK, "status", "--client-conf", conf)
	// What does not fit is said in one line, without a secret.
	later := signedToken(secret, fmt.Sprintf(`{"sub":"admin","nbf":%d}`, time.Now().Add(time.Hour).Unix()))
	for want, args := range map[string][]string{
		"give --tls-trust-certs":            {"--token", admin},
		"the broker refused the connection": {"--tls-trust-certs", cert},
		"do the clocks agree?":              {"--tls-trust-certs", cert, "--token", later},
	} {
		_, stderr := c.bqgen(exitFailed, append([]string{"tail", "orders"}, args...)...)
		if !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 || strings.Contains(stderr, admin) {
			t.Errorf("%v: %s, want %q", args, stderr, want)
		}
	}
	oauth2 := c.issuer(admin)
	c.bqgen(exitOK, append([]string{"status", "--tls-trust-certs", cert}, oauth2...)...)
	c.bqgen(exitOK, append([]string{"tail", "orders", "--tls-trust-certs", cert}, oauth2...)...)
	_, stderr := c.bqgen(exitFailed, append([]string{"status", "--tls-trust-certs", cert}, c.issuer(later)...)...)
	if !strings.Contains(stderr, "the role lacks the right") || strings.Contains(stderr, later) {
		t.Errorf("a token of an issuer that the broker refuses: %s", stderr)
	}
	_, stderr = c.bqgen(exitFailed, append([]string{"status", "--tls-trust-certs", cert}, c.issuer("")...)...)
	if !strings.Contains(stderr, "log in with OAuth2") || strings.Contains(stderr, "s3cret") {
		t.Errorf("an issuer that refuses: %s", stderr)
	}
	c.mayNotSend(secret, admin, cert)
	// The broker of another cluster does not know what the admin API knows.
	service := c.service
	c.service = os.Getenv("BQ_PULSAR_URL")
	for _, args := range [][]string{
		{"dlq", "drop", "orders", "--all", "--yes"},
		{"dlq", "redrive", "orders"},
		{"replay", "orders", "--since", "1h", "--yes"},
		{"provision", "--dead-letter-subscription", "orders=another", "--yes"}, // something is missing
		{"status"},
	} {
		out, stderr := c.bqgen(exitFailed, append(args, trusting...)...)
		if !strings.Contains(stderr, errOtherCluster.Error()) || out != "" {
			t.Errorf("%v on two clusters: %s%s", args, out, stderr)
		}
	}
	c.service = "pulsar://127.0.0.1:1"
	if _, stderr = c.bqgen(exitOK, append([]string{"status"}, trusting...)...); !strings.Contains(stderr, "warning: ") {
		t.Errorf("status without a broker: %s", stderr)
	}
	c.service = service
	nobody := signedToken(secret, `{"sub":"nobody"}`)
	_, stderr = c.bqgen(exitFailed, "status", "--tls-trust-certs", cert, "--token", nobody)
	if !strings.Contains(stderr, "the role lacks the right") || strings.Contains(stderr, nobody) {
		t.Errorf("without rights: %s", stderr)
	}
	c.service = fmt.Sprintf("pulsar+ssl://localhost:%d", port)
	_, stderr = c.bqgen(exitFailed, append([]string{"tail", "orders"}, trusting...)...)
	if !strings.Contains(stderr, "not for localhost") {
		t.Errorf("another host: %s", stderr)
	}
	c.bqgen(exitOK, append([]string{"tail", "orders", "--tls-any-host"}, trusting...)...)
}

// mayNotSend redrives as a role that may do all but send to the target (O22): nothing is acknowledged.
func (c *cluster) mayNotSend(secret []byte, token, cert string) {
	c.t.Helper()
	api, err := pulsaradmin.NewClient(&pulsaradmin.Config{
		WebServiceURL: c.admin, Token: token, TLSTrustCertsFilePath: cert})
	if err != nil {
		c.t.Fatal(err)
	}
	for topic, rights := range map[string][]utils.AuthAction{
		"orders": {"consume"}, "orders.dlq": {"consume", "produce"}, "orders.dlq.redrive": {"consume", "produce"},
	} {
		if err := api.Topics().GrantPermission(c.name(topic), "worker", rights); err != nil {
			c.t.Fatal(err)
		}
	}
	trusting := []string{"--tls-trust-certs", cert, "--token", token}
	client, err := pulsar.NewClient(pulsar.ClientOptions{
		URL: c.service, TLSTrustCertsFilePath: cert, Authentication: pulsar.NewAuthenticationToken(token),
		Logger: log.DefaultNopLogger()})
	if err != nil {
		c.t.Fatal(err)
	}
	defer client.Close()
	c.client = client
	c.publish(c.topic("orders.dlq"), failedLetters(0, 3)...)
	worker := signedToken(secret, `{"sub":"worker"}`)
	_, stderr := c.bqgen(exitFailed, "dlq", "redrive", "orders", "--tls-trust-certs", cert, "--token", worker)
	if !strings.Contains(stderr, "send to "+c.topic("orders")+": ") || !strings.Contains(stderr, "uthoriz") {
		c.t.Errorf("without the right to send: %s", stderr)
	}
	if n := c.waiting(trusting...)["total"]; n != 3.0 {
		c.t.Errorf("%v wait, want the 3 that could not be sent", n)
	}
}

// issuer starts an OAuth2 issuer that hands out a token for client credentials, or refuses if the token is empty. It
// returns the flags to log in with it.
func (c *cluster) issuer(token string) []string {
	c.t.Helper()
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/.well-known/openid-configuration" {
			fmt.Fprintf(w, `{"issuer":%q,"token_endpoint":%q}`, server.URL, server.URL+"/token")
			return
		}
		user, password, ok := r.BasicAuth()
		if !ok {
			user, password = r.FormValue("client_id"), r.FormValue("client_secret")
		}
		if token == "" || r.FormValue("grant_type") != "client_credentials" || user != "bqgen" || password != "s3cret" ||
			r.FormValue("audience") != "pulsar" || !strings.Contains(r.FormValue("scope"), "topics") {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":"invalid_client"}`)
			return
		}
		fmt.Fprintf(w, `{"access_token":%q,"token_type":"bearer","expires_in":3600}`, token)
	}))
	c.t.Cleanup(server.Close)
	key := c.file("key.json", fmt.Sprintf(
		`{"type":"client_credentials","client_id":"bqgen","client_secret":"s3cret","issuer_url":%q}`, server.URL))
	return []string{"--oauth2-issuer", server.URL, "--oauth2-audience", "pulsar", "--oauth2-scope", "topics",
		"--oauth2-key-file", key}
}

type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}
