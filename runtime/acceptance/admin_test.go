package acceptance

import (
	"bytes"
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

// keep gives a topic a subscription that nobody consumes, so that its messages stay for readers.
func (b *backend) keep(t *testing.T, topic string) {
	t.Helper()
	b.subscribe(t, topic, "kept").Close()
}
