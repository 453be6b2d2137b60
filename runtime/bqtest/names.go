package bqtest

import (
	"fmt"
	"strconv"
	"strings"

	topicname "github.com/babelqueue/bqgen/internal/topic"
)

const (
	partitionMark = "-partition-"
	nonPersistent = "non-persistent"
)

// topicName is a topic's full name, taken apart.
type topicName struct {
	full       string // persistent://tenant/namespace/name, with its partition
	base       string // the same without -partition-N
	namespace  string // tenant/namespace
	partition  int    // -1 if the name has no partition
	persistent bool
}

// mustParseTopic panics if name is not the name of a topic. The caller is named.
func mustParseTopic(caller, name string) topicName {
	tn, err := parseTopic(name)
	if err != nil {
		panic("bqtest: " + caller + ": " + err.Error())
	}
	return tn
}

// parseTopic completes a short topic name and refuses what the real client refuses.
func parseTopic(name string) (topicName, error) {
	if slashes := strings.Count(name, "/"); slashes == 1 && !strings.Contains(name, "://") || slashes > 3 &&
		!strings.Contains(name, "://") {
		return topicName{}, fmt.Errorf("parse topic name %q: want <topic> or <tenant>/<namespace>/<topic>", name)
	}
	full := topicname.Full(name)
	domain, rest, _ := strings.Cut(full, "://")
	if domain != topicname.Persistent && domain != nonPersistent {
		return topicName{}, fmt.Errorf("parse topic name %q: invalid domain %q", name, domain)
	}
	parts := strings.SplitN(rest, "/", 4)
	if len(parts) < 3 {
		return topicName{}, fmt.Errorf("parse topic name %q: want %s://<tenant>/<namespace>/<topic>", name, domain)
	}
	if parts[len(parts)-1] == "" {
		return topicName{}, fmt.Errorf("parse topic name %q: the topic is empty", name)
	}
	tn := topicName{full: full, base: full, partition: -1, persistent: domain == topicname.Persistent}
	tn.namespace = strings.Join(parts[:len(parts)-1], "/")
	if strings.Contains(full, partitionMark) {
		// The client takes what follows the last dash for the partition, so a
		// topic that merely has the mark in its name cannot be used at all.
		n, err := strconv.Atoi(full[strings.LastIndexByte(full, '-')+1:])
		if err != nil {
			return topicName{}, fmt.Errorf("parse topic name %q: partition: %w", name, err)
		}
		tn.partition = n
		tn.base = full[:strings.LastIndex(full, partitionMark)]
	}
	return tn, nil
}
