package schema

import (
	"fmt"
	"strings"
	"unicode"
)

const topicHint = "persistent://TENANT/NAMESPACE/NAME, non-persistent://TENANT/NAMESPACE/NAME, TENANT/NAMESPACE/NAME or NAME"

// topicFault says why text is not the name of a Pulsar topic, or "". It accepts what the Pulsar client
// accepts, less what can only fail later: blanks, empty parts, characters that a broker refuses.
func topicFault(topic string) string {
	if isBlank(topic) {
		return "it is blank"
	}
	for _, r := range topic {
		if unicode.IsSpace(r) || !unicode.IsGraphic(r) {
			return fmt.Sprintf("it contains %q", r)
		}
	}
	if strings.Contains(topic, "-partition-") {
		return `"-partition-" marks one partition of a topic`
	}
	parts := strings.Split(topic, "/")
	if domain, rest, full := strings.Cut(topic, "://"); full {
		if domain != "persistent" && domain != "non-persistent" {
			return "the domain " + quote(domain) + " is neither persistent nor non-persistent"
		}
		parts = strings.SplitN(rest, "/", 4)
		if len(parts) < 3 {
			return "it has no tenant and namespace"
		}
	} else if len(parts) != 1 && len(parts) != 3 && len(parts) != 4 {
		return "a short name has one part or three"
	}
	for i, part := range parts {
		if part == "" {
			return "a part of it is empty"
		}
		if i < len(parts)-1 && strings.IndexFunc(part, notInNamespace) >= 0 {
			return "tenant and namespace are of letters, digits and _-=:."
		}
	}
	return ""
}

func notInNamespace(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-=:.", r))
}

// canonicalTopic writes a topic in full, so that two spellings of one topic compare equal.
func canonicalTopic(topic string) string {
	switch {
	case strings.Contains(topic, "://"):
		return topic
	case strings.Contains(topic, "/"):
		return "persistent://" + topic
	}
	return "persistent://public/default/" + topic
}
