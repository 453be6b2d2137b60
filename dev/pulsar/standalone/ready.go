package standalone

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// readyPoll is the pause between two requests to a broker that is starting.
const readyPoll = 100 * time.Millisecond

// errOtherBroker reports that another broker than the one started has answered.
var errOtherBroker = errors.New("another broker answers on the port")

// An admin is a client of a broker's admin endpoint.
type admin struct {
	url    string
	token  string // "" for none
	client *http.Client
}

func newAdmin(url string) *admin {
	return &admin{url: url, client: &http.Client{
		Timeout: 10 * time.Second,
		// No proxy, because the broker is on this machine. No idle connections, because they would outlive the caller.
		Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true},
	}}
}

// waitReady returns when the broker at the site is ready: the namespace public/default exists, a lookup in it leads to
// this very broker, and the broker can publish to itself and consume the message.
func waitReady(ctx context.Context, s *site, token string, ended <-chan struct{}) error {
	a := newAdmin(s.adminURL())
	a.token = token
	checks := []func(context.Context) error{
		a.hasNamespace,
		func(ctx context.Context) error { return a.lookup(ctx, s.serviceURL()) },
		a.healthy,
	}
	tick := time.NewTicker(readyPoll)
	defer tick.Stop()
	last := errors.New("none")
	for len(checks) > 0 {
		err := checks[0](ctx)
		if err == nil {
			checks = checks[1:]
			continue
		}
		if errors.Is(err, errOtherBroker) {
			return err
		}
		if ctx.Err() == nil { // otherwise the error is only that the request was cut short
			last = err
		}
		select {
		case <-tick.C:
		case <-ended:
			return errEnded
		case <-ctx.Done():
			return fmt.Errorf("not ready: %w; last answer: %w", context.Cause(ctx), last)
		}
	}
	return nil
}

// errEnded reports that the broker ended before it was ready.
var errEnded = errors.New("ended before it was ready")

func (a *admin) hasNamespace(ctx context.Context) error {
	var namespaces []string
	if err := a.getJSON(ctx, "/admin/v2/namespaces/public", &namespaces); err != nil {
		return err
	}
	if !slices.Contains(namespaces, "public/default") {
		return fmt.Errorf("the namespace public/default does not exist yet")
	}
	return nil
}

// lookup checks that the broker at want serves a topic.
func (a *admin) lookup(ctx context.Context, want string) error {
	var answer struct {
		BrokerURL string `json:"brokerUrl"`
	}
	if err := a.getJSON(ctx, "/lookup/v2/topic/persistent/public/default/ready", &answer); err != nil {
		return err
	}
	if answer.BrokerURL != want {
		return fmt.Errorf("%w: it says %q, not %q", errOtherBroker, answer.BrokerURL, want)
	}
	return nil
}

// healthy makes the broker publish a message to itself and consume it.
func (a *admin) healthy(ctx context.Context) error {
	body, err := a.do(ctx, http.MethodGet, "/admin/v2/brokers/health?topicVersion=V2")
	if err != nil {
		return err
	}
	if string(body) != "ok" {
		return fmt.Errorf("the health check says %q", body)
	}
	return nil
}

// shutDown makes the broker close its topics and storage. The process keeps running.
func (a *admin) shutDown(ctx context.Context) error {
	_, err := a.do(ctx, http.MethodPost, "/admin/v2/brokers/shutdown?forcedTerminateTopic=true")
	return err
}

func (a *admin) getJSON(ctx context.Context, path string, into any) error {
	body, err := a.do(ctx, http.MethodGet, path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	return nil
}

// answerLimit bounds the size of an answer, in bytes; all expected answers are short.
const answerLimit = 64 << 10

func (a *admin) do(ctx context.Context, method, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, a.url+path, nil)
	if err != nil {
		return nil, err
	}
	if a.token != "" {
		request.Header.Set("Authorization", "Bearer "+a.token)
	}
	response, err := a.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, answerLimit))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if response.StatusCode/100 != 2 {
		return nil, fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	return body, nil
}
