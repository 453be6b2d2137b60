package load

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// maxNames is how many messages, queues and services a catalog may have, of each. For each there is code, and a page or
// a file.
const maxNames = 5000

// longestKey is how many characters a key may have, such as the name of a property or a type. Names stand in the
// generated code many times.
const longestKey = 1024

const splitHint = "split the catalog"

// limit reports a section with too many names.
func (l *loader) limit(section *source.Node, what string) {
	if len(section.Pairs) > maxNames {
		l.Report(section.Pairs[maxNames].Key.Pos, schema.RuleTooLarge, splitHint,
			"the catalog has more than %d %s", maxNames, what)
	}
}

// A serviceCount counts services by their names, and those of queues once for each queue.
type serviceCount struct {
	names    map[string]bool
	ofQueues int
	exceeded bool
}

// countServices counts publishers and consumers, or the service of a queue. It reports the first that is too many.
func (l *loader) countServices(pos schema.Pos, ofQueue bool, names ...string) {
	c := &l.serviceCount
	for _, name := range names {
		c.names[name] = true
	}
	if ofQueue {
		c.ofQueues += len(names)
	}
	if !c.exceeded && max(len(c.names), c.ofQueues) > maxNames {
		c.exceeded = true
		l.Report(pos, schema.RuleTooLarge, splitHint, "the catalog has more than %d services", maxNames)
	}
}
