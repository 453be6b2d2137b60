package compat

import "testing"

// Spellings of one topic are one topic, of queues as well as of dead letters.
func TestSpellingsOfOneTopicAreNoChange(t *testing.T) {
	const urn = "u: {queue: q, data: {type: object}}"
	for _, spellings := range [][2]string{
		{"topic: orders", "topic: public/default/orders"},
		{"topic: acme/eu/created", "topic: 'persistent://acme/eu/created'"},
		{"topic: acme/eu/orders/created", "topic: 'persistent://acme/eu/orders/created'"},
		{"topic: a/b/c, dead_letter: a/b/d", "topic: a/b/c, dead_letter: 'persistent://a/b/d'"},
		{"topic: a/b/c", "topic: a/b/c, dead_letter: 'persistent://a/b/c.dlq'"},
	} {
		old, new := parseCase(t, catalog(spellings[0], urn)), parseCase(t, catalog(spellings[1], urn))
		for _, c := range Compare(old, new, Options{}) {
			t.Errorf("%q to %q: %s (%s)", spellings[0], spellings[1], c.Message, c.Rule)
		}
	}
	old := parseCase(t, catalog("topic: acme/eu/orders/created", urn))
	new := parseCase(t, catalog("topic: 'non-persistent://acme/eu/orders/created'", urn))
	if changes := Compare(old, new, Options{}); len(changes) == 0 || changes[0].Rule != "topic-changed" {
		t.Errorf("another domain: %v", changes)
	}
}
