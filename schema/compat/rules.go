package compat

import (
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// ruleChanges compares the rules of two schemas, which only a JSON Schema validator understands. It cannot tell whom a
// change breaks, so that it shows both sides, and takes it for a break of both.
func (w *walker) ruleChanges(o, n *schema.Schema) {
	was, is := rulesText(o), rulesText(n)
	if was == is {
		return
	}
	f := finding{rule: "rules-changed", pos: w.at,
		text: fmt.Sprintf("the rules were %s and are %s", shownRules(was), shownRules(is))}
	if is != "" {
		f.pos = n.Rules[0].Pos
		f.producers = w.claim(o, n, w.outside(n))
	}
	if was != "" {
		f.consumers = w.claim(n, o, w.outside(o))
	}
	w.report(f)
}

// rawChanges compares schemas of different types one of which has rules. Which of the two allows more is not known.
func (w *walker) rawChanges(o, n *schema.Schema) {
	whole := func(s *schema.Schema) string {
		return shownRules(string(jsonschema.Render(s, jsonschema.Options{})))
	}
	w.report(finding{
		rule: "rules-changed", pos: n.Pos, source: true,
		text:      fmt.Sprintf("the schema was %s and is %s", whole(o), whole(n)),
		consumers: w.claim(n, o, w.outside(o)), producers: w.claim(o, n, w.outside(n)),
	})
}

// shownRules shows JSON in a message.
func shownRules(compact string) string {
	if compact == "" {
		return "none"
	}
	const head = `{"$schema":"` + jsonschema.DraftURL + `",`
	if rest, ok := strings.CutPrefix(compact, head); ok {
		compact = "{" + rest
	}
	return text.OneLine(text.Shorten(compact, maxShown))
}

// maxShown is the number of characters that a message shows of each side.
const maxShown = 400

// rulesText returns the rules of a schema as JSON, with the types that they refer to; empty for none.
func rulesText(s *schema.Schema) string {
	if len(s.Rules) == 0 {
		return ""
	}
	return string(jsonschema.RenderRules(s))
}
