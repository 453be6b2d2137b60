package connect

import (
	"bufio"
	"context"

	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// listen accepts connections and hands each to serve.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
	return l.Addr().String()
}

// frame returns a broker's command: its type and, for a refusal, the text.
func frame(kind byte, refusal string) []byte {
	base := []byte{1 << 3, kind}
	if refusal != "" {
		message := append([]byte{1 << 3, 1, 2 << 3, 4, 3<<3 | 2, byte(len(refusal))}, refusal...)
		base = append(append(base, commandError<<3|2, byte(len(message))), message...)
	}
	size := byte(len(base))
	return append([]byte{0, 0, 0, size + 4, 0, 0, 0, size}, base...)
}

// TestTheWrongPort is O39 with listeners that are no brokers.
func TestTheWrongPort(t *testing.T) {
	said := func(answer string) func(net.Conn) {
		return func(c net.Conn) {
			if _, err := bufio.NewReader(c).Peek(8); err == nil {
				io.WriteString(c, answer)
			}
		}
	}
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = quietLog()
	secure.StartTLS()
	t.Cleanup(secure.Close)
	closed := listen(t, func(net.Conn) {})
	for _, test := range []struct{ name, url, want string }{
		{"HTTP", "pulsar://" + listen(t, said("HTTP/1.1 400 Bad Request\r\n\r\n")), "this is HTTP"},
		{"TLS", "pulsar://" + secure.Listener.Addr().String(), "does it need pulsar+ssl://?"},
		{"TLS alert", "pulsar://" + listen(t, said("\x15\x03\x01\x00\x02\x02\x46.....")), "this speaks TLS"},
		{"closes", "pulsar://" + closed, "closed the connection without an answer"},
		{"something else", "pulsar://" + listen(t, said("220 mail ready to serve\r\n")), "this is no Pulsar broker"},
		{"plain broker, TLS asked", "pulsar+ssl://" + listen(t, said("\x00\x00\x00\x04....")), "this does not speak TLS"},
		{"refusal", "pulsar://" + listen(t, said(string(frame(commandError, "no \x1b[2Jrights")))),
			"the broker refused the connection: no <U+001B>[2Jrights"},
		{"nobody", "pulsar://127.0.0.1:1", "nothing answered"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := Resolve(map[string]string{ServiceURL: test.url}, environment())
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Client(context.Background(), nil)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	broker := "pulsar://" + listen(t, said(string(frame(commandConnected, ""))))
	c, err := Resolve(map[string]string{ServiceURL: broker}, environment())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.probe(context.Background()); err != nil {
		t.Errorf("a broker: %v", err)
	}
}

// A port that accepts and says nothing does not hold the probe up longer than its caller wants.
func TestAProbeEndsWithItsContext(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	mute := "pulsar://" + listen(t, func(net.Conn) { <-release })
	c, err := Resolve(map[string]string{ServiceURL: mute}, environment())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := c.probe(ctx); err == nil || !strings.Contains(err.Error(), "does not answer as a broker") {
		t.Errorf("error %v", err)
	}
}

// TestTLSThatDoesNotFit is the part of O38 that needs no broker.
func TestTLSThatDoesNotFit(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = quietLog()
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := writeFile(t, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	for want, flags := range map[string]map[string]string{
		"give --tls-trust-certs": {ServiceURL: "pulsar+ssl://127.0.0.1:" + port},
		"not for localhost":      {ServiceURL: "pulsar+ssl://localhost:" + port, TLSTrustCerts: ca},
		"contains no certificate": {
			ServiceURL: "pulsar+ssl://127.0.0.1:" + port, TLSTrustCerts: writeFile(t, "x")},
		"this is HTTP": {ServiceURL: "pulsar+ssl://127.0.0.1:" + port, TLSTrustCerts: ca},
		"read the client certificate": {
			ServiceURL: "pulsar+ssl://127.0.0.1:" + port, TLSCert: "/no", TLSKey: "/no"},
		"this is HTTP: --service-url needs": {
			ServiceURL: "pulsar+ssl://localhost:" + port, TLSTrustCerts: ca, TLSAnyHost: "true"},
		"this is HTTP: --service-url needs the": {
			ServiceURL: "pulsar+ssl://localhost:" + port, TLSInsecure: "true"},
	} {
		c, err := Resolve(flags, environment())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.probe(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", flags, err, want)
		}
	}
	c, err := Resolve(map[string]string{AdminURL: server.URL}, environment())
	if err != nil {
		t.Fatal(err)
	}
	transport, err := c.Transport()
	if err != nil {
		t.Fatal(err)
	}
	_, err = (&http.Client{Transport: transport}).Get(server.URL)
	if err == nil || !strings.Contains(err.Error(), "give --tls-trust-certs") {
		t.Errorf("error %v", err)
	}
}

// A token file is read for each request, and the line end is no part of the token.
func TestATokenFileIsReadAgain(t *testing.T) {
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
	}))
	t.Cleanup(server.Close)
	for _, text := range []string{"first\n", "second\r\n"} {
		path := writeFile(t, text)
		c, err := Resolve(map[string]string{TokenFile: path}, environment())
		if err != nil {
			t.Fatal(err)
		}
		transport, err := c.Transport()
		if err != nil {
			t.Fatal(err)
		}
		response, err := (&http.Client{Transport: transport}).Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	if got := fmt.Sprint(seen); got != "[Bearer first Bearer second]" {
		t.Errorf("sent %s", got)
	}
	c, err := Resolve(map[string]string{TokenFile: writeFile(t, "\n")}, environment())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.token(); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("error %v", err)
	}
}

// The Pulsar client logs what a broker says, and that may be what it was told.
func TestALogShowsNoCredentials(t *testing.T) {
	for _, flags := range []map[string]string{
		{Token: "s3cret"},
		{TokenFile: writeFile(t, "s3cret\n")},
		{ClientConf: writeFile(t, "authPlugin=basic\nauthParams=me:s3cret\n")},
		{TokenFile: "/does/not/exist"},
		{},
	} {
		c, err := Resolve(flags, environment())
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		const line = "level=WARN msg=\"not s3cret, s3cret\"\n"
		n, err := io.WriteString(c.HideSecrets(&out), line)
		want := strings.ReplaceAll(line, "s3cret", "(secret)")
		if way, _ := c.credentials(); way == anonymous || c.Get(TokenFile) == "/does/not/exist" {
			want = line
		}
		if out.String() != want || n != len(line) || err != nil {
			t.Errorf("%v: %d, %v, %q, want %q", flags, n, err, out.String(), want)
		}
	}
}

func TestATokenSaysWhyItIsRefused(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	token := func(claims string) string {
		return "e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".x"
	}
	for claims, want := range map[string]string{
		fmt.Sprintf(`{"exp":%d}`, now.Unix()-1): "the token expired at 2026-03-01T11:59:59Z, " +
			"here it is 2026-03-01T12:00:00Z",
		fmt.Sprintf(`{"nbf":%d}`, now.Unix()+20): "the token is valid from 2026-03-01T12:00:20Z on, " +
			"here it is 2026-03-01T12:00:00Z: do the clocks agree?",
		`{"sub":"me"}`:    "",
		`{"exp":"never"}`: "",
	} {
		if got := describeToken(token(claims), now); got != want {
			t.Errorf("%s: %q, want %q", claims, got, want)
		}
	}
	if got := describeToken("opaque", now); got != "" {
		t.Errorf("opaque: %q", got)
	}
}
