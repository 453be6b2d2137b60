package docs

import (
	"fmt"

	"github.com/babelqueue/bqgen/schema"
)

// facts are the constraints of a schema in words, without those of what is inside of it.
func facts(s *schema.Schema) []fact {
	var f []fact
	say := func(text string, codes ...string) { f = append(f, fact{text, codes}) }
	if s.Const != nil {
		say("always", literal(s.Const))
	}
	if s.Enum != nil {
		values := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			values[i] = name(v.Value)
		}
		say("one of", values...)
	}
	if text := between(s.MinLength, s.MaxLength, "character"); text != "" {
		say(text)
	}
	if s.Pattern != "" {
		say("matches", name(s.Pattern))
	}
	for _, bound := range []struct {
		sign string
		num  *schema.Num
	}{{"≥", s.Minimum}, {">", s.ExclusiveMinimum}, {"≤", s.Maximum}, {"<", s.ExclusiveMaximum}} {
		if bound.num != nil {
			say(bound.sign + " " + bound.num.Text)
		}
	}
	if s.MultipleOf != nil {
		say("a multiple of " + s.MultipleOf.Text)
	}
	if text := between(s.MinItems, s.MaxItems, "item"); text != "" {
		say(text)
	}
	if s.UniqueItems {
		say("no item twice")
	}
	if text := between(s.MinProperties, s.MaxProperties, "member"); text != "" {
		say(text)
	}
	switch {
	case s.Kind == schema.Object && s.Additional == schema.AdditionalForbidden:
		say("no other members")
	case s.Kind == schema.Object && s.Additional == schema.AdditionalKept && !isMap(s) && s.AdditionalSchema == nil:
		say("other members are kept")
	}
	if s.Default != nil {
		say("default", literal(s.Default))
	}
	if len(s.Examples) > 0 {
		values := make([]string, len(s.Examples))
		for i := range s.Examples {
			values[i] = literal(&s.Examples[i])
		}
		say("for example", values...)
	}
	if s.GoType != nil {
		say("Go type", name(s.GoType.Import+"."+s.GoType.Name))
	}
	return f
}

// literal is a value as JSON has it.
func literal(l *schema.Literal) string { return name(string(l.JSON)) }

// between says how many of something there may be.
func between(low, high *int, what string) string {
	switch {
	case low != nil && high != nil && *low == *high:
		return "exactly " + count(*low, what)
	case low != nil && high != nil:
		return fmt.Sprintf("%d to %s", *low, count(*high, what))
	case low != nil && *low > 0:
		return "at least " + count(*low, what)
	case high != nil:
		return "at most " + count(*high, what)
	}
	return ""
}
