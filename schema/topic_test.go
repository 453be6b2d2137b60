package schema

import "testing"

func TestTopicNames(t *testing.T) {
	for _, topic := range []string{
		"orders", "orders.v2", "orders-partition", "my-partitions", "größe", "日本", "a:b", "a%20b",
		"shop/space/orders", "shop/cluster/space/orders", "persistent://shop/space/orders", "non-persistent://shop/space/orders",
		"persistent://shop/cluster/space/orders", "persistent://a-b=c:d.e_f/0/x", "persistent://a/b/c/d/e",
	} {
		if fault := topicFault(topic); fault != "" {
			t.Errorf("%q: %s", topic, fault)
		}
	}
	for _, topic := range []string{
		"", " ", "a b", " a", "a\n", "a\u00a0b", "a\u200bb", "a\u2028", "\x00", "a\x7f", "a/b", "a/b/c/d/e", "/a/b", "a//b", "a/b/",
		"orders-partition-0", "orders-partition-", "persistent://a/b/c-partition-x", "persistent://", "persistent://a", "persistent://a/b",
		"persistent:///b/c", "persistent://a/b/", "://a/b/c", "kafka://a/b/c", "Persistent://a/b/c", "persistent://ä/b/c", "a/b?/c",
	} {
		if topicFault(topic) == "" {
			t.Errorf("%q was accepted", topic)
		}
	}
}

func TestSpellingsOfOneTopicCompareEqual(t *testing.T) {
	for topic, want := range map[string]string{
		"orders":                             "persistent://public/default/orders",
		"public/default/orders":              "persistent://public/default/orders",
		"persistent://public/default/orders": "persistent://public/default/orders",
		"non-persistent://a/b/c":             "non-persistent://a/b/c",
	} {
		if got := canonicalTopic(topic); got != want {
			t.Errorf("%q is %q, want %q", topic, got, want)
		}
	}
}
