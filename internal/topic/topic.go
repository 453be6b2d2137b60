// Package topic completes, compares and checks the names of Pulsar topics.
package topic

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/babelqueue/bqgen/internal/text"
)

// Persistent is the domain of the topics that Pulsar stores; it is the default.
const Persistent = "persistent"

// partitionMark stands between a partitioned topic's name and a partition's number.
const partitionMark = "-partition-"

// Full returns the complete name of a topic. It fills in Pulsar's defaults: orders and public/default/orders are both
// persistent://public/default/orders. Two names mean the same topic if their full names are equal.
func Full(name string) string {
	switch {
	case strings.Contains(name, "://"):
		return name
	case strings.Contains(name, "/"):
		return Persistent + "://" + name
	}
	return Persistent + "://public/default/" + name
}

// Same reports whether two names mean the same topic.
func Same(a, b string) bool { return Full(a) == Full(b) }

// WithoutPartition returns the partitioned topic that a partition belongs to. It returns any other name unchanged
// (RET-5).
func WithoutPartition(name string) string {
	at := strings.LastIndex(name, partitionMark)
	if at < 0 || !isNumber(name[at+len(partitionMark):]) {
		return name
	}
	return name[:at]
}

// LooksLikePartition reports whether name is, or looks like, the name of one partition of a topic.
func LooksLikePartition(name string) bool { return strings.Contains(LastSegment(name), partitionMark) }

// IsNonPersistent reports whether a topic keeps nothing, by its name in full.
func IsNonPersistent(name string) bool { return strings.HasPrefix(name, "non-persistent://") }

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// LastSegment returns what follows the last slash of a topic's name.
func LastSegment(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// InNamespace returns a short name, such as orders, as the name of a topic in a namespace such as acme/staging. It
// returns a name that has a namespace unchanged.
func InNamespace(namespace, name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	return Persistent + "://" + namespace + "/" + name
}

// Forms says how a topic may be written, for hints.
const Forms = "persistent://TENANT/NAMESPACE/NAME, non-persistent://TENANT/NAMESPACE/NAME, " +
	"TENANT/NAMESPACE/NAME or NAME"

// Check returns an error that says why name cannot be the name of a topic. It rejects what the Pulsar client rejects,
// and also names that would fail later: those with blanks, empty parts or characters that a broker rejects.
func Check(name string) error {
	if text.IsBlank(name) {
		return errors.New("it is blank")
	}
	for _, r := range name {
		if unicode.IsSpace(r) || !unicode.IsGraphic(r) {
			return fmt.Errorf("it contains %q", r)
		}
	}
	if strings.Contains(name, partitionMark) {
		return fmt.Errorf("%q marks one partition of a topic", partitionMark)
	}
	parts := strings.Split(name, "/")
	if domain, rest, full := strings.Cut(name, "://"); full {
		if domain != Persistent && domain != "non-persistent" {
			return fmt.Errorf("the domain %.80q is neither persistent nor non-persistent", domain)
		}
		if parts = strings.SplitN(rest, "/", 4); len(parts) < 3 {
			return errors.New("it has no tenant and namespace")
		}
	} else if len(parts) != 1 && len(parts) != 3 && len(parts) != 4 {
		return errors.New("a short name has one part or three")
	}
	for i, part := range parts {
		if part == "" {
			return errors.New("a part of it is empty")
		}
		if i < len(parts)-1 && strings.IndexFunc(part, notInNamespace) >= 0 {
			return fmt.Errorf("tenant and namespace are of letters, digits and %s", namespaceSigns)
		}
	}
	return nil
}

// namespaceSigns are the signs that a tenant and a namespace may have besides letters and digits.
const namespaceSigns = "_-=:."

func notInNamespace(r rune) bool {
	isLetter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	return !isLetter && !(r >= '0' && r <= '9') && !strings.ContainsRune(namespaceSigns, r)
}
