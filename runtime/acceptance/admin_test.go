package acceptance

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
)

// operate calls the administrator's interface of the real Pulsar.
func operate(t *testing.T, method, path, body string, status int) {
	t.Helper()
	admin := os.Getenv("BQ_PULSAR_ADMIN_URL")
	if admin == "" {
		t.Skip("left out, BQ_PULSAR_ADMIN_URL is not set")
	}
	request, err := http.NewRequestWithContext(t.Context(), method, admin+"/admin/v2"+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != status {
		t.Fatalf("%s %s: %s", method, path, response.Status)
	}
}

// adminPath is a topic in the administrator's interface.
func adminPath(topic string) string {
	return "/persistent/" + strings.TrimPrefix(topic, "persistent://")
}

// partition makes a topic with n partitions.
func (b *backend) partition(t *testing.T, topic string, n int) {
	t.Helper()
	if b.memory == nil {
		operate(t, http.MethodPut, adminPath(topic)+"/partitions", strconv.Itoa(n), http.StatusNoContent)
		return
	}
	if err := b.memory.CreatePartitioned(topic, n); err != nil {
		t.Fatal(err)
	}
}

// addPartitions makes a topic have n partitions that has fewer.
func (b *backend) addPartitions(t *testing.T, topic string, n int) {
	t.Helper()
	if b.memory == nil {
		operate(t, http.MethodPost, adminPath(topic)+"/partitions", strconv.Itoa(n), http.StatusNoContent)
		return
	}
	if err := b.memory.AddPartitions(topic, n); err != nil {
		t.Fatal(err)
	}
}

// unload moves a topic to another owner, which is routine for a broker: connections break, and what was not
// acknowledged is delivered again.
func (b *backend) unload(t *testing.T, topic string) {
	t.Helper()
	if b.memory != nil {
		b.memory.Unload(topic)
		return
	}
	operate(t, http.MethodPut, adminPath(topic)+"/unload", "", http.StatusNoContent)
}

// cut breaks the connection of a topic's consumer, as far as the backend can, and returns when the consumer is back.
func (b *backend) cut(t *testing.T, topic string) {
	t.Helper()
	if b.memory != nil {
		b.memory.Drop(topic, "babelqueue")
		b.waitFor(t, "the consumer to be back", func() bool { return b.memory.Consumers(topic, "babelqueue") == 1 })
		return
	}
	b.unload(t, topic)
	eventually(t, "the consumer to be back", func() bool { return connected(t, topic) == 1 })
}

// connected returns how many consumers the real Pulsar has for the subscription of a queue's topic.
func connected(t *testing.T, topic string) int {
	t.Helper()
	return len(subscriptions(t, topic)["babelqueue"].Consumers)
}

// A pulsarSubscription is what the real Pulsar tells of one.
type pulsarSubscription struct {
	Consumers []struct{ AvailablePermits int }
}

// subscriptions returns what the real Pulsar knows of a topic's subscriptions; nothing while nobody has the topic.
func subscriptions(t *testing.T, topic string) map[string]pulsarSubscription {
	t.Helper()
	url := os.Getenv("BQ_PULSAR_ADMIN_URL") + "/admin/v2" + adminPath(topic) + "/stats"
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var stats struct {
		Subscriptions map[string]pulsarSubscription
	}
	if response.StatusCode != http.StatusOK {
		return nil
	}
	if err := json.NewDecoder(response.Body).Decode(&stats); err != nil {
		t.Fatal(err)
	}
	return stats.Subscriptions
}

// fillsReceiverQueue waits until the only reader of a topic has fetched all that it has asked for.
func (b *backend) fillsReceiverQueue(t *testing.T, topic string) {
	t.Helper()
	if b.memory != nil {
		return // that fetches at once
	}
	eventually(t, "the receiver queue to be full", func() bool {
		for _, s := range subscriptions(t, topic) {
			if len(s.Consumers) == 1 && s.Consumers[0].AvailablePermits <= 0 {
				return true
			}
		}
		return false
	})
}

// keep gives a topic a subscription that nobody consumes, so that its messages stay for readers.
func (b *backend) keep(t *testing.T, topic string) {
	t.Helper()
	b.subscribe(t, topic, "kept").Close()
}
