package load

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/judge"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// examples reads examples of a URN, and validates each as a payload.
func (l *loader) examples(p payload, j *judge.Judge) {
	if !l.IsList(p.examples, "examples") {
		return
	}
	for _, n := range p.examples.Items {
		if n.IsPartial() {
			continue
		}
		if n.Kind != source.Mapping {
			l.Report(n.Pos, schema.RuleWrongType, "", "an example must be a mapping, this is %s", n.Describe())
			continue
		}
		// A value that was reported inside it is not judged again; all others are.
		v, _ := l.drafts.Value(n, schema.RuleExample, "example")
		j.Payload(p.root, v)
		p.urn.Examples = append(p.urn.Examples, schema.Example{Pos: n.Pos, JSON: v.JSON})
	}
}
