package bqtest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// topicPattern is the expression of a consumer over all topics that match, in one namespace.
type topicPattern struct {
	namespace string
	*regexp.Regexp
}

// parsePattern reads a pattern as the client does: an expression that is found anywhere in a topic's full name.
func parsePattern(text string) (*topicPattern, error) {
	tn, err := wire.ParseTopic(text)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(tn.Full[strings.Index(tn.Full, tn.Namespace):])
	if err != nil {
		return nil, err
	}
	return &topicPattern{tn.Namespace, re}, nil
}

// matching lists the persistent topics of the pattern's namespace that match, partitioned ones once.
func (b *Broker) matching(p *topicPattern) []wire.Topic {
	found := map[wire.Topic]bool{}
	for _, t := range b.topics {
		tn := t.name.Whole()
		if tn.Persistent && tn.Namespace == p.namespace && p.MatchString(tn.Full) {
			found[tn] = true
		}
	}
	var names []wire.Topic
	for tn := range found {
		names = append(names, tn)
	}
	slices.SortFunc(names, func(a, b wire.Topic) int { return cmp.Compare(a.Full, b.Full) })
	return names
}

// discoverLater looks for more topics after the consumer's AutoDiscoveryPeriod, again and again.
func (c *consumer) discoverLater() {
	c.b.discoverAfter(c.opts.AutoDiscoveryPeriod, func() {
		if !c.closed && !c.left {
			c.discover()
			c.discoverLater()
		}
	})
}

// discover subscribes to matching topics that are new to the consumer. One that refuses it is tried again the next
// time.
func (c *consumer) discover() {
	has := map[string]bool{}
	for _, l := range c.links {
		has[l.topic.name.Base] = true
	}
	for _, tn := range c.b.matching(c.pattern) {
		if !has[tn.Full] && !c.b.down {
			_ = c.join(tn, c.initialPosition)
		}
	}
}
