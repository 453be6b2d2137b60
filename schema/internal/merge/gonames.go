package merge

import (
	"fmt"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// checkFieldNames reports x-go-names that two properties of an object have.
func (b *builder) checkFieldNames(s *schema.Schema) {
	taken := map[string]schema.Pos{}
	for _, p := range s.Properties {
		name, pos := p.Schema.GoName, p.Schema.GoNamePos
		if name == "" {
			continue
		}
		if first, again := taken[name]; again {
			b.root.Doubt |= trust.Inside
			b.reportSameGoName(name, first, pos)
			continue
		}
		taken[name] = pos
	}
}

// checkTypeNames reports x-go-names that two types have.
func (m *Merger) checkTypeNames(roots []*draft.Root) {
	taken := map[string]schema.Pos{}
	for _, r := range roots {
		if r.Type == nil || r.Schema.GoName == "" {
			continue
		}
		name, pos := r.Schema.GoName, r.Schema.GoNamePos
		if first, again := taken[name]; again {
			r.Doubt |= trust.Inside
			m.reportSameGoName(name, first, pos)
			continue
		}
		taken[name] = pos
	}
}

func (m *Merger) reportSameGoName(name string, first, pos schema.Pos) {
	where := "at " + first.String()
	if first.File == pos.File {
		where = fmt.Sprintf("on line %d", first.Line)
	}
	m.Report(pos, schema.RuleSameGoName, "give one of the two another name", "x-go-name %s is taken %s", name, where)
}
