package lint

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

func noDeadLetter(p *pass) {
	for _, q := range p.catalog.Queues {
		if !q.KeepsDeadLetters() {
			p.report(p.catalog.KeyUnder(q.Pos, "dead_letter"),
				"remove dead_letter: false, or ignore this with the reason why messages may be lost",
				"queue %s drops messages that cannot be handled", text.Quote(q.Name))
		}
	}
}

func unusedQueue(p *pass) {
	used := map[*schema.Queue]bool{}
	for _, u := range p.catalog.URNs {
		used[u.Queue] = true
	}
	for _, q := range p.catalog.Queues {
		if !used[q] {
			p.report(q.Pos, "remove it, or add a URN that uses it", "queue %s has no URN", text.Quote(q.Name))
		}
	}
}
