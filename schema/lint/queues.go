package lint

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
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

// deadLettersNotPersistent finds dead letters that Pulsar passes to whoever is connected, and does not keep.
func deadLettersNotPersistent(p *pass) {
	for _, q := range p.catalog.Queues {
		deadLetters, hint := q.DeadLetter, "set dead_letter: persistent://TENANT/NAMESPACE/NAME, or use a persistent topic"
		if len(q.Services) > 0 {
			deadLetters, hint = q.Services[0].DeadLetter, "use a persistent topic"
		}
		if deadLetters != "" && !isPersistent(deadLetters) {
			p.report(p.catalog.KeyUnder(q.Pos, "dead_letter"), hint,
				"dead letters of queue %s that nobody is receiving are lost: topic %s is not persistent",
				text.Quote(q.Name), text.Quote(topic.Full(deadLetters)))
		}
	}
}

func isPersistent(name string) bool {
	return strings.HasPrefix(topic.Full(name), topic.Persistent+"://")
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
