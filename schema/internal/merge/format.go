package merge

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
)

// format merges formats, and checks that the result belongs to the type.
func (b *builder) format(s *schema.Schema, g *group) {
	want := map[schema.Kind]draft.TypeSet{
		schema.String: draft.StringType, schema.Integer: draft.IntegerType, schema.Number: draft.FractionType,
	}[s.Kind]
	var names, others []string
	misfits := 0
	for _, p := range g.parts {
		if p.OtherFormat != "" {
			others = append(others, p.OtherFormat)
		}
		if p.Format == schema.NoFormat {
			continue
		}
		names = append(names, p.Format.String())
		s.Format = p.Format
		if want != 0 && draft.FormatTypes(p.Format) != want { // for other kinds the keyword itself is misplaced
			b.Report(p.FormatPos, schema.RuleMisplacedKeyword, "",
				"format %s belongs to type %s, this is %s", p.Format, formatType(p.Format), s.Kind)
			misfits++
		}
	}
	if others = sortedSet(others); others != nil {
		s.OtherFormat = others[0] // nobody checks it
	}
	if misfits > 0 {
		s.Format = schema.NoFormat
		return
	}
	if names = sortedSet(names); len(names) > 1 {
		b.conflict(g, "keep one of them", "a value cannot be of the formats %s at once", text.List(names))
		s.Format = schema.NoFormat
	}
}

func formatType(f schema.Format) schema.Kind {
	switch draft.FormatTypes(f) {
	case draft.StringType:
		return schema.String
	case draft.IntegerType:
		return schema.Integer
	}
	return schema.Number
}
