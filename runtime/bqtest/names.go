package bqtest

import (
	"fmt"
	"strconv"
	"strings"
)

const partitionMark = "-partition-"

// topicName is a topic's full name, taken apart.
type topicName struct {
	full      string // persistent://tenant/namespace/name, with its partition
	base      string // the same without -partition-N
	partition int    // -1 when the name has no partition
}

// parseTopic completes a short topic name and refuses what the real client
// refuses, and non-persistent topics, which this broker does not have.
func parseTopic(name string) (topicName, error) {
	full := name
	if !strings.Contains(name, "://") {
		switch strings.Count(name, "/") {
		case 0:
			full = "persistent://public/default/" + name
		case 2, 3:
			full = "persistent://" + name
		default:
			return topicName{}, fmt.Errorf("parse topic name %q: want <topic> or <tenant>/<namespace>/<topic>", name)
		}
	}
	domain, rest, _ := strings.Cut(full, "://")
	switch domain {
	case "persistent":
	case "non-persistent":
		return topicName{}, unsupported("parse topic name %q: a non-persistent topic", name)
	default:
		return topicName{}, fmt.Errorf("parse topic name %q: invalid domain %q", name, domain)
	}
	parts := strings.SplitN(rest, "/", 4)
	if len(parts) < 3 {
		return topicName{}, fmt.Errorf("parse topic name %q: want %s://<tenant>/<namespace>/<topic>", name, domain)
	}
	if parts[len(parts)-1] == "" {
		return topicName{}, fmt.Errorf("parse topic name %q: the topic is empty", name)
	}
	tn := topicName{full: full, base: full, partition: -1}
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
