package merge

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
)

// properties merges properties by name, in the order in which the names are met.
func (b *builder) properties(s *schema.Schema, g *group) {
	if len(g.parts) == 1 {
		for _, m := range g.parts[0].Members {
			s.Properties = append(s.Properties,
				&schema.Property{Name: m.Name, Pos: m.Pos, Schema: b.inside(g, m.Schema)})
		}
		return
	}
	drafts := map[string][]*draft.Draft{}
	for _, part := range g.parts {
		for _, m := range part.Members {
			if drafts[m.Name] == nil {
				s.Properties = append(s.Properties, &schema.Property{Name: m.Name, Pos: m.Pos})
			}
			drafts[m.Name] = append(drafts[m.Name], m.Schema)
		}
	}
	closed := closedParts(g)
	if b.budget.work += len(closed) * len(s.Properties); b.budget.work > maxWork {
		b.tooMuch(g, schema.RuleTooLarge, "allOf with too many entries and properties")
		for _, p := range s.Properties {
			p.Schema = &schema.Schema{Pos: p.Pos}
		}
		return
	}
	var forbidden []string
	for _, p := range s.Properties {
		for _, part := range closed {
			switch {
			case part.names[p.Name]:
			case part.Additional == schema.AdditionalForbidden:
				forbidden = append(forbidden, text.Quote(p.Name))
			case part.Further != nil:
				drafts[p.Name] = append(drafts[p.Name], part.Further)
			}
		}
		p.Schema = b.inside(g, drafts[p.Name]...)
	}
	if len(forbidden) > 0 {
		b.conflict(g, "additionalProperties: false applies to the properties next to it only: "+
			"list the others there as well, as {}",
			"additionalProperties: false in one part refuses %s of another", text.Short(listSet(forbidden)))
	}
}

// A closedPart is a part that limits properties which it does not list.
type closedPart struct {
	*draft.Draft
	names map[string]bool
}

func closedParts(g *group) (closed []closedPart) {
	for _, p := range g.parts {
		isRule := p.Node.Get("patternProperties") != nil
		if isRule || p.Additional != schema.AdditionalForbidden && p.Further == nil {
			continue
		}
		names := make(map[string]bool, len(p.Members))
		for _, m := range p.Members {
			names[m.Name] = true
		}
		closed = append(closed, closedPart{p.Draft, names})
	}
	return closed
}
