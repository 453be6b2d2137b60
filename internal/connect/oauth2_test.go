package connect

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestTheTokenOfAnIssuerArrives: the admin API and the broker get the token that an OAuth2 issuer hands out for the
// client's credentials, audience and scope (O38).
func TestTheTokenOfAnIssuerArrives(t *testing.T) {
	var server *httptest.Server
	asked, arrived := "", ""
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			fmt.Fprintf(w, `{"issuer":%q,"token_endpoint":%q}`, server.URL, server.URL+"/token")
		case "/token":
			asked = fmt.Sprint(r.FormValue("grant_type"), " ", r.FormValue("audience"), " ", r.FormValue("scope"))
			user, password, ok := r.BasicAuth()
			if !ok {
				user, password = r.FormValue("client_id"), r.FormValue("client_secret")
			}
			if user != "bqgen" || password != "s3cret" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			fmt.Fprint(w, `{"access_token":"a.b.c","token_type":"bearer","expires_in":3600}`)
		default:
			arrived = r.Header.Get("Authorization")
		}
	}))
	defer server.Close()
	for secret, want := range map[string]string{"s3cret": "", "wr0ng": "log in with OAuth2 at " + server.URL} {
		asked, arrived = "", ""
		file := writeFile(t, fmt.Sprintf(
			`{"type":"client_credentials","client_id":"bqgen","client_secret":%q,"issuer_url":%q}`, secret, server.URL))
		c, err := Resolve(map[string]string{
			AdminURL: server.URL, OAuth2Issuer: server.URL, OAuth2KeyFile: file, OAuth2Audience: "pulsar", OAuth2Scope: "topics",
		}, environment())
		if err != nil {
			t.Fatal(err)
		}
		transport, err := c.Transport()
		if err != nil {
			t.Fatal(err)
		}
		response, err := (&http.Client{Transport: transport}).Get(server.URL + "/admin/v2/clusters")
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
				t.Errorf("error %v, want %q", err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if arrived != "Bearer a.b.c" || !strings.HasPrefix(asked, "client_credentials pulsar") ||
			!strings.Contains(asked, "topics") {
			t.Errorf("the issuer was asked for %q, the admin API got %q", asked, arrived)
		}
		source, err := c.oauth2() // what the Pulsar client logs in with
		if err != nil {
			t.Fatal(err)
		}
		if token, err := source.GetData(); string(token) != "a.b.c" || err != nil {
			t.Errorf("the broker would get %q, %v", token, err)
		}
	}
}
