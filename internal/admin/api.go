package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	pulsaradmin "github.com/apache/pulsar-client-go/pulsaradmin/pkg/admin"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/admin/auth"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/admin/config"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/rest"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"

	"github.com/babelqueue/bqgen/internal/text"
)

// An API is an admin API.
type API struct {
	url       string
	client    pulsaradmin.Client
	transport http.RoundTripper
}

// New returns the admin API at a URL. The transport logs in; see package connect.
func New(url string, transport http.RoundTripper) (*API, error) {
	client, err := pulsaradmin.NewPulsarClientWithAuthProvider(&config.Config{WebServiceURL: url},
		auth.NewDefaultProvider(transport))
	if err != nil {
		return nil, fmt.Errorf("admin API %s: %w", url, err)
	}
	return &API{url, client, transport}, nil
}

// URL returns the address of the API.
func (a *API) URL() string { return a.url }

// ErrNotFound is in the error for a topic, namespace or subscription that does not exist.
var ErrNotFound = errors.New("it does not exist")

// ErrForbidden is in the error for what the role may not do.
var ErrForbidden = errors.New("the role lacks the right")

// ErrExists is in the error for the creation of what exists already.
var ErrExists = errors.New("it exists already")

// maxReason bounds what an error shows of an answer, in characters.
const maxReason = 300

// fail says what was asked, of what, and why it failed.
func (a *API) fail(what, of string, err error) error {
	if err == nil {
		return nil
	}
	at := fmt.Sprintf("%s %s (admin API %s)", what, of, a.url)
	var answer rest.Error
	if !errors.As(err, &answer) {
		return fmt.Errorf("%s: %w", at, err)
	}
	reason := text.OneLine(text.Shorten(answer.Reason, maxReason))
	switch answer.Code {
	case http.StatusNotFound:
		return fmt.Errorf("%s: %w: %s", at, ErrNotFound, reason)
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Errorf("%s: %w: %s (HTTP %d)", at, ErrForbidden, reason, answer.Code)
	case http.StatusConflict:
		return fmt.Errorf("%s: %w: %s", at, ErrExists, reason)
	}
	return fmt.Errorf("%s: %s (HTTP %d)", at, reason, answer.Code)
}

// HasNamespace reports whether a namespace exists, such as acme/prod.
func (a *API) HasNamespace(ctx context.Context, name string) (bool, error) {
	_, err := a.client.Namespaces().GetPoliciesWithContext(ctx, name)
	if err = a.fail("look at", "the namespace "+name, err); errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// MessageTTL returns after how many seconds a namespace takes messages for acknowledged; 0 is never.
func (a *API) MessageTTL(ctx context.Context, namespace string) (int, error) {
	seconds, err := a.client.Namespaces().GetNamespaceMessageTTLWithContext(ctx, namespace)
	return max(seconds, 0), a.fail("look at", "the message TTL of "+namespace, err)
}

// SetDeduplication turns broker deduplication on for a namespace.
func (a *API) SetDeduplication(ctx context.Context, namespace string) error {
	return a.fail("turn on", "deduplication of "+namespace,
		a.client.Namespaces().SetDeduplicationStatusWithContext(ctx, namespace, true))
}

// CreateTopic creates a topic. Without partitions it is not partitioned.
func (a *API) CreateTopic(ctx context.Context, name string, partitions int) error {
	t, err := utils.GetTopicName(name)
	if err != nil {
		return err
	}
	return a.fail("create", name, a.client.Topics().CreateWithContext(ctx, *t, partitions))
}

// CreateSubscription creates a durable subscription that starts at the first message of a topic, or of each partition.
func (a *API) CreateSubscription(ctx context.Context, name, subscription string) error {
	t, err := utils.GetTopicName(name)
	if err != nil {
		return err
	}
	return a.fail("create", "the subscription "+subscription+" of "+name,
		a.client.Subscriptions().CreateWithContext(ctx, *t, subscription, utils.Earliest))
}
