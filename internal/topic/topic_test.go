package topic_test

import (
	"testing"

	"github.com/babelqueue/bqgen/internal/topic"
)

func TestSpellingsOfOneTopicAreTheSame(t *testing.T) {
	for name, want := range map[string]string{
		"orders":                             "persistent://public/default/orders",
		"public/default/orders":              "persistent://public/default/orders",
		"acme/eu/orders/created":             "persistent://acme/eu/orders/created",
		"persistent://public/default/orders": "persistent://public/default/orders",
		"non-persistent://a/b/c":             "non-persistent://a/b/c",
	} {
		if got := topic.Full(name); got != want {
			t.Errorf("Full(%q) is %q, want %q", name, got, want)
		}
		if !topic.Same(name, want) {
			t.Errorf("%q and %q are not the same", name, want)
		}
	}
	if topic.Same("orders", "non-persistent://public/default/orders") {
		t.Error("topics of two domains are the same")
	}
}

func TestOnlyAPartitionsSuffixIsCut(t *testing.T) {
	for name, want := range map[string]string{
		"orders-partition-3":        "orders",
		"orders-partition-12":       "orders",
		"orders":                    "orders",
		"orders-partition-":         "orders-partition-",
		"orders-partition-x":        "orders-partition-x",
		"a-partition-1-b":           "a-partition-1-b",
		"a-partition-1-partition-2": "a-partition-1",
	} {
		if got := topic.WithoutPartition(name); got != want {
			t.Errorf("WithoutPartition(%q) is %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]bool{
		"orders-partition-3": true, "orders-partition-x": true, "orders": false, "persistent://a/b-partition-1/c": false,
	} {
		if got := topic.LooksLikePartition(name); got != want {
			t.Errorf("LooksLikePartition(%q) is %v", name, got)
		}
	}
	if got := topic.LastSegment("persistent://a/b/c"); got != "c" {
		t.Errorf("LastSegment is %q", got)
	}
}

func TestNamesThatABrokerRefusesAreRefused(t *testing.T) {
	for _, name := range []string{
		"orders", "orders.v2", "orders-partition", "my-partitions", "größe", "日本", "a:b", "a%20b", "shop/space/orders",
		"shop/cluster/space/orders", "persistent://shop/space/orders", "non-persistent://shop/space/orders",
		"persistent://shop/cluster/space/orders", "persistent://a-b=c:d.e_f/0/x", "persistent://a/b/c/d/e",
	} {
		if err := topic.Check(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{
		"", " ", "a b", " a", "a\n", "a\u00a0b", "a\u200bb", "a\u2028", "\x00", "a\x7f", "a/b", "a/b/c/d/e", "/a/b", "a//b",
		"a/b/", "orders-partition-0", "orders-partition-", "persistent://a/b/c-partition-x", "persistent://",
		"persistent://a", "persistent://a/b", "persistent:///b/c", "persistent://a/b/", "://a/b/c", "kafka://a/b/c",
		"Persistent://a/b/c", "persistent://ä/b/c", "a/b?/c",
	} {
		if topic.Check(name) == nil {
			t.Errorf("%q was accepted", name)
		}
	}
}

func TestOnlyShortNamesAreInTheNamespace(t *testing.T) {
	for name, want := range map[string]string{
		"orders":                 "persistent://acme/staging/orders",
		"orders.v2.dlq":          "persistent://acme/staging/orders.v2.dlq",
		"acme/eu/orders":         "acme/eu/orders",
		"non-persistent://a/b/c": "non-persistent://a/b/c",
		"persistent://a/b/c":     "persistent://a/b/c",
	} {
		if got := topic.InNamespace("acme/staging", name); got != want {
			t.Errorf("InNamespace of %q is %q, want %q", name, got, want)
		}
	}
	for _, namespace := range []string{"", "acme", "a b/c", "persistent://acme/staging"} {
		if topic.Check(topic.InNamespace(namespace, "orders")) == nil {
			t.Errorf("the namespace %q was accepted", namespace)
		}
	}
}
