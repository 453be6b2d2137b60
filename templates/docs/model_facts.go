package docs

import (
	"fmt"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// maxRule is the number of characters of a rule that a page shows: all messages may share one of a megabyte.
const maxRule = 2000

// facts returns the constraints of a schema in words, without those of the schemas in it.
func facts(s *schema.Schema) []fact {
	var f factList
	if s.Const != nil {
		f.add("always", literal(s.Const))
	}
	if s.Enum != nil {
		values := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			values[i] = name(v.Value)
		}
		f.add("one of", values...)
	}
	f.addRange(s.MinLength, s.MaxLength, "character")
	if s.Pattern != "" {
		f.add("matches", name(s.Pattern))
	}
	f.addBounds(s)
	f.addRange(s.MinItems, s.MaxItems, "item")
	if s.UniqueItems {
		f.add("no duplicate items")
	}
	f.addRange(s.MinProperties, s.MaxProperties, fieldOrKey(s))
	switch {
	case s.Kind == schema.Object && s.Additional == schema.AdditionalForbidden:
		f.add("no other fields")
	case s.Kind == schema.Object && s.Additional == schema.AdditionalKept && !isMap(s) && s.AdditionalSchema == nil:
		f.add("other fields are kept")
	}
	if s.Default != nil {
		f.add("default", literal(s.Default))
	}
	if len(s.Examples) > 0 {
		values := make([]string, len(s.Examples))
		for i := range s.Examples {
			values[i] = literal(&s.Examples[i])
		}
		f.add("for example", values...)
	}
	for _, r := range s.Rules {
		f.add("rule", name(text.Shorten(string(jsonschema.RuleText(r)), maxRule)))
	}
	if s.OtherFormat != "" {
		f.add("format, not checked", name(s.OtherFormat))
	}
	for _, k := range s.PassedOn {
		f.add(name(k.Name), literal(&k.Value))
	}
	if s.GoType != nil {
		f.add("Go type", name(s.GoType.Import+"."+s.GoType.Name))
	}
	return f
}

type factList []fact

func (f *factList) add(text string, codes ...string) { *f = append(*f, fact{text, codes}) }

// addBounds adds the limits of a number.
func (f *factList) addBounds(s *schema.Schema) {
	for _, bound := range []struct {
		sign string
		num  *schema.Num
	}{{"≥", s.Minimum}, {">", s.ExclusiveMinimum}, {"≤", s.Maximum}, {"<", s.ExclusiveMaximum}} {
		if bound.num != nil {
			f.add(bound.sign + " " + bound.num.Text)
		}
	}
	if s.MultipleOf != nil {
		f.add("a multiple of " + s.MultipleOf.Text)
	}
}

// addRange adds how many of something there may be.
func (f *factList) addRange(low, high *int, noun string) {
	switch {
	case low != nil && high != nil && *low == *high:
		f.add("exactly " + text.Count(*low, noun))
	case low != nil && high != nil:
		f.add(fmt.Sprintf("%d to %s", *low, text.Count(*high, noun)))
	case low != nil && *low > 0:
		f.add("at least " + text.Count(*low, noun))
	case high != nil:
		f.add("at most " + text.Count(*high, noun))
	}
}

func fieldOrKey(s *schema.Schema) string {
	if isMap(s) {
		return "key"
	}
	return "field"
}

// literal returns a value as JSON.
func literal(l *schema.Literal) string { return name(string(l.JSON)) }
