package merge

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// checkCycles reports types that are nothing but references to each other in a circle: nobody can follow those.
func (m *Merger) checkCycles(roots []*draft.Root) {
	const onTheWay, done = 1, 2
	state := map[*schema.Type]int{}
	for _, r := range roots {
		var way []*schema.Type
		t := r.Type
		for t != nil && state[t] == 0 {
			state[t] = onTheWay
			way = append(way, t)
			if t.Schema.Kind != schema.Ref {
				break
			}
			t = t.Schema.Target
		}
		if t != nil && state[t] == onTheWay && len(way) > 0 && way[len(way)-1].Schema.Kind == schema.Ref {
			m.reportCircle(way, t)
		}
		for _, t := range way {
			state[t] = done
		}
	}
}

// reportCircle reports the circle that starts with first, at the $ref that closes it.
func (m *Merger) reportCircle(way []*schema.Type, first *schema.Type) {
	for way[0] != first {
		way = way[1:]
	}
	m.doubtTypes(way, trust.Inside|trust.Nowhere)
	m.Report(way[len(way)-1].Schema.Pos, schema.RuleRefCycle, "give one of them a type of its own",
		"types refer to each other in a circle: %s", describeWay(way, first))
}

func describeWay(types []*schema.Type, last *schema.Type) string {
	var names []string
	for _, t := range types {
		names = append(names, text.Quote(t.Name))
	}
	if len(names) > 6 {
		names = append(names[:5], "...")
	}
	return strings.Join(append(names, text.Quote(last.Name)), " -> ")
}
