package acceptance

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

// unload moves a topic to another owner, which is routine for a broker: connections break, and what was not
// acknowledged is delivered again.
func (b *backend) unload(t *testing.T, topic string) {
	t.Helper()
	if b.memory != nil {
		b.memory.Unload(topic)
		return
	}
	admin := os.Getenv("BQ_PULSAR_ADMIN_URL")
	if admin == "" {
		t.Skip("left out, BQ_PULSAR_ADMIN_URL is not set")
	}
	url := admin + "/admin/v2/persistent/" + strings.TrimPrefix(topic, "persistent://") + "/unload"
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusNoContent {
		t.Fatalf("unload %s: %s", topic, response.Status)
	}
}
