package load

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// queueOf reads queue of a URN, the name of a queue.
func (l *loader) queueOf(n *source.Node, queues *queueSet) *schema.Queue {
	name, ok := l.Name(n, "queue")
	if !ok || queues.byName == nil {
		return nil
	}
	q := queues.byName[name]
	if q == nil && queues.doubt.MayMiss() {
		l.Report(n.Pos, schema.RuleNoQueue, queues.names.DidYouMean(name, "declare it under queues"),
			"there is no queue %s", text.Quote(name))
	}
	return q
}
