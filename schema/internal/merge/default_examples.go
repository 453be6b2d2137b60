package merge

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// defaultAndExamples merges default and examples, and claims that they are valid. The examples of a type that was
// written out are examples of that type only.
func (b *builder) defaultAndExamples(s *schema.Schema, g *group, parts []part) {
	var defaults []string
	for _, p := range parts {
		for _, v := range p.Values {
			if v.IsExample() && p.level == written {
				continue
			}
			if s.Kind == schema.Integer && v.Node.Kind == source.Scalar && draft.LiteralType(v.Node) == draft.IntegerType {
				whole, _ := source.WholeText(string(v.JSON))
				v.JSON = []byte(whole)
			}
			literal := v.Literal
			if v.IsExample() {
				s.Examples = append(s.Examples, literal)
			} else {
				s.Default = &literal
				defaults = append(defaults, string(v.JSON))
			}
			b.claim(s, v)
		}
	}
	if defaults = sortedSet(defaults); len(defaults) > 1 {
		b.conflict(g, "keep one of them", "default cannot be %s at once", text.List(describeAll(defaults)))
	}
}

func (b *builder) claim(s *schema.Schema, v draft.Value) {
	b.result.Claims = append(b.result.Claims, Claim{b.root, s, v})
}
