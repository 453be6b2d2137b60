package admin

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// fake answers requests by their paths.
func fake(t *testing.T, answers map[string]string) *API {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.Method+" "+r.URL.Path]
		status := http.StatusOK
		switch {
		case !ok:
			status, answer = http.StatusNotFound, `{"reason":"Topic not found\u001b[2J"}`
		case strings.HasPrefix(answer, "403 "):
			status, answer = http.StatusForbidden, answer[4:]
		case strings.HasPrefix(answer, "409 "):
			status, answer = http.StatusConflict, answer[4:]
		case strings.HasPrefix(answer, "500 "):
			status, answer = http.StatusInternalServerError, answer[4:]
		}
		w.WriteHeader(status)
		w.Write([]byte(answer))
	}))
	t.Cleanup(server.Close)
	a, err := New(server.URL, http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const topics = "/admin/v2/persistent/public/default/"

func TestATopicWithPartitionsIsAddedUp(t *testing.T) {
	a := fake(t, map[string]string{
		"GET " + topics + "orders/partitions": `{"partitions":3}`,
		"GET " + topics + "orders-partition-0/stats": `{"deduplicationStatus":"Enabled","publishers":[{"producerName":"p",
			"accessMode":"Exclusive"}],"subscriptions":{"babelqueue":{"msgBacklog":3,"unackedMessages":1,"isDurable":true,
			"type":"Shared","earliestMsgPublishTimeInBacklog":2000,"consumers":[{"consumerName":"c"}]},
			"reader-1":{"isDurable":false}}}`,
		"GET " + topics + "orders-partition-2/stats": `{"subscriptions":{"babelqueue":{"msgBacklog":4,"isDurable":true,
			"type":"Shared","earliestMsgPublishTimeInBacklog":1000,"consumers":[{"consumerName":"c"}]},
			"late":{"isDurable":true,"type":"None"}}}`,
	})
	got, err := a.Topic(context.Background(), "persistent://public/default/orders")
	if err != nil {
		t.Fatal(err)
	}
	if got.Partitions != 3 || !got.Deduplicates || len(got.Producers) != 1 || !got.Producers[0].Exclusive {
		t.Errorf("topic %+v", got)
	}
	s := got.Subscription("babelqueue")
	if s == nil || s.Backlog != 7 || s.Unacked != 1 || s.Oldest.UnixMilli() != 1000 || len(s.Consumers) != 1 {
		t.Errorf("subscription %+v", s)
	}
	if late := got.Subscription("late"); late == nil || cmp.Diff([]int{0, 1}, late.Missing) != "" || late.Type != "" {
		t.Errorf("subscription of one partition: %+v", late)
	}
	if got.Subscription("reader-1") != nil {
		t.Error("a reader's subscription is taken for a durable one")
	}
}

func TestAnErrorSaysWhatItMeans(t *testing.T) {
	a := fake(t, map[string]string{
		"GET " + topics + "secret/partitions": `403 {"reason":"role ops lacks consume on secret"}`,
		"PUT " + topics + "orders":            `409 {"reason":"This topic already exists"}`,
		"GET " + topics + "broken/partitions": "500 <html>\n\x1b]0;x\x07oops",
	})
	ctx := context.Background()
	_, missing := a.Topic(ctx, "persistent://public/default/nowhere")
	_, secret := a.Topic(ctx, "persistent://public/default/secret")
	_, broken := a.Topic(ctx, "persistent://public/default/broken")
	_, hopeless := a.Topic(ctx, "no/topic")
	for _, test := range []struct {
		err  error
		is   error
		want string
	}{
		{missing, ErrNotFound, "look at persistent://public/default/nowhere (admin API http://127.0.0.1:"},
		{secret, ErrForbidden, "the role lacks the right: role ops lacks consume on secret"},
		{a.CreateTopic(ctx, "persistent://public/default/orders", 0), ErrExists, "create persistent://public/default/orders"},
		{broken, nil, "(HTTP 500)"},
		{hopeless, nil, ""},
	} {
		if test.err == nil || test.is != nil && !errors.Is(test.err, test.is) ||
			!strings.Contains(test.err.Error(), test.want) {
			t.Errorf("error %v, want %v and %q", test.err, test.is, test.want)
			continue
		}
		if strings.ContainsAny(test.err.Error(), "\x1b\a\n") {
			t.Errorf("control characters in %q", test.err)
		}
	}
	if ok, err := a.HasNamespace(ctx, "acme/prod"); ok || err != nil {
		t.Errorf("namespace: %v, %v", ok, err)
	}
	refused, err := New("http://127.0.0.1:1", http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := refused.HasNamespace(ctx, "a/b"); err == nil ||
		!strings.Contains(err.Error(), "admin API http://127.0.0.1:1") {
		t.Errorf("error %v", err)
	}
}

func TestWhatASubscriptionHasAcknowledged(t *testing.T) {
	a := fake(t, map[string]string{
		"GET " + topics + "dlq/internalStats": `{"cursors":{"babelqueue":{"markDeletePosition":"10:4",
			"individuallyDeletedMessages":"[(10:5..10:7],[12:0..12:2)]"},"odd":{"markDeletePosition":"x"},
			"odder":{"markDeletePosition":"1:1","individuallyDeletedMessages":"[(1:2..1"},
			"long":{"markDeletePosition":"10:4","individuallyDeletedMessages":"[(10:5..12:1]]"}},
			"ledgers":[{"ledgerId":9,"entries":50},{"ledgerId":10,"entries":9},{"ledgerId":11,"entries":3},{"ledgerId":12}]}`,
	})
	ctx := context.Background()
	c, err := a.Cursor(ctx, "persistent://public/default/dlq", "babelqueue")
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[Position]bool{
		{9, 90}: true, {10, 4}: true, {10, 5}: false, {10, 6}: true, {10, 7}: true, {10, 8}: false,
		{12, 0}: true, {12, 1}: true, {12, 2}: false, {11, 0}: false,
	} {
		if got := c.IsAcknowledged(p); got != want {
			t.Errorf("%v: %v, want %v", p, got, want)
		}
	}
	// 10:6, 10:7, 12:0, 12:1; and 10:6 to 10:8, 11:0 to 11:2, 12:0, 12:1.
	for name, want := range map[string]int64{"babelqueue": 4, "long": 8} {
		if c, err := a.Cursor(ctx, "persistent://public/default/dlq", name); err != nil || c.Beyond != want {
			t.Errorf("%s has acknowledged %d entries beyond its position, want %d (%v)", name, c.Beyond, want, err)
		}
	}
	for _, name := range []string{"odd", "odder", "nobody"} {
		if _, err := a.Cursor(ctx, "persistent://public/default/dlq", name); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if empty, err := parseSpans("[]"); err != nil || len(empty) != 0 {
		t.Errorf("%v, %v", empty, err)
	}
}

func FuzzParseSpans(f *testing.F) {
	f.Add("[(10:5..10:7],[12:0..12:2)]")
	f.Add("[(")
	f.Fuzz(func(t *testing.T, s string) {
		if spans, err := parseSpans(s); err != nil && spans != nil {
			t.Errorf("%q: spans and an error", s)
		}
	})
}

// TestARealTopic looks at what it created on a real broker.
func TestARealTopic(t *testing.T) {
	url := os.Getenv("BQ_PULSAR_ADMIN_URL")
	if url == "" {
		t.Skip("left out, there is no real Pulsar: run make test, or set BQ_PULSAR_URL and BQ_PULSAR_ADMIN_URL")
	}
	a, err := New(url, http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	name := "persistent://public/default/admin-" + uuid.NewString()
	for _, partitions := range []int{0, 3} {
		name := name + string(rune('0'+partitions))
		if _, err := a.Topic(ctx, name); !errors.Is(err, ErrNotFound) {
			t.Errorf("before: %v", err)
		}
		if err := a.CreateTopic(ctx, name, partitions); err != nil {
			t.Fatal(err)
		}
		if err := a.CreateSubscription(ctx, name, "babelqueue"); err != nil {
			t.Fatal(err)
		}
		got, err := a.Topic(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		if s := got.Subscription("babelqueue"); got.Partitions != partitions || s == nil || len(s.Missing) > 0 {
			t.Errorf("%+v", got)
		}
		for _, partition := range got.PartitionNames() {
			c, err := a.Cursor(ctx, partition, "babelqueue")
			if err != nil {
				t.Fatal(err)
			}
			if c.IsAcknowledged(Position{c.MarkDelete.Ledger, c.MarkDelete.Entry + 1}) {
				t.Errorf("%+v says that what is to come is acknowledged", c)
			}
		}
		if err := a.CreateTopic(ctx, name, partitions); !errors.Is(err, ErrExists) {
			t.Errorf("again: %v", err)
		}
	}
	if ok, err := a.HasNamespace(ctx, "public/default"); !ok || err != nil {
		t.Errorf("public/default: %v, %v", ok, err)
	}
}
