package golang

import (
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// payloadType is the name of the type that the payload of u is, whatever other names it has.
func (p *planner) payloadType(u *schema.URN) string {
	if u.Data.Kind == schema.Ref {
		if t, ok := underlying(p.types[u.Data.Target]).(named); ok {
			return t.Name
		}
	}
	return p.names.Messages[u].Type
}

// payloadDoc documents the interface of a queue's payloads.
func payloadDoc(q *queue) doc {
	var types []string
	for _, t := range q.Payloads {
		types = append(types, "*"+t)
	}
	return sentence("%s is the payload of a message of the queue %s: %s.", q.Payload, quoted(q.Name),
		strings.Join(types, ", "))
}
