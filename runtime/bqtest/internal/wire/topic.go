package wire

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/internal/topic"
)

const (
	partitionMark = "-partition-"
	nonPersistent = "non-persistent"
)

// Topic is the name of a topic, taken apart.
type Topic struct {
	Full       string // persistent://tenant/namespace/name, with its partition
	Base       string // the same without -partition-N
	Namespace  string // tenant/namespace
	Partition  int    // -1 if the name has no partition
	Persistent bool
}

// Of returns the topic's i-th partition.
func (t Topic) Of(i int) Topic {
	t.Full, t.Partition = PartitionName(t.Base, i), i
	return t
}

// Whole returns the partitioned topic that a partition belongs to.
func (t Topic) Whole() Topic {
	t.Full, t.Partition = t.Base, -1
	return t
}

// PartitionName returns the name of a topic's i-th partition.
func PartitionName(topic string, i int) string { return fmt.Sprint(topic, partitionMark, i) }

// ParseTopic completes a short topic name and refuses what the real client refuses.
func ParseTopic(name string) (Topic, error) {
	short := !strings.Contains(name, "://")
	if slashes := strings.Count(name, "/"); short && (slashes == 1 || slashes > 3) {
		return Topic{}, fmt.Errorf("parse topic name %q: want <topic> or <tenant>/<namespace>/<topic>", name)
	}
	full := topic.Full(name)
	domain, rest, _ := strings.Cut(full, "://")
	if domain != topic.Persistent && domain != nonPersistent {
		return Topic{}, fmt.Errorf("parse topic name %q: invalid domain %q", name, domain)
	}
	parts := strings.SplitN(rest, "/", 4)
	if len(parts) < 3 {
		return Topic{}, fmt.Errorf("parse topic name %q: want %s://<tenant>/<namespace>/<topic>", name, domain)
	}
	if parts[len(parts)-1] == "" {
		return Topic{}, fmt.Errorf("parse topic name %q: the topic is empty", name)
	}
	tn := Topic{Full: full, Base: full, Partition: -1, Persistent: domain == topic.Persistent}
	tn.Namespace = strings.Join(parts[:len(parts)-1], "/")
	if strings.Contains(full, partitionMark) {
		// The client takes what follows the last dash for the partition, so a topic that merely has the mark in its
		// name cannot be used at all.
		n, err := strconv.Atoi(full[strings.LastIndexByte(full, '-')+1:])
		if err != nil {
			return Topic{}, fmt.Errorf("parse topic name %q: partition: %w", name, err)
		}
		tn.Partition = n
		tn.Base = full[:strings.LastIndex(full, partitionMark)]
	}
	return tn, nil
}
