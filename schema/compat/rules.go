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
	if w.sameRules(o, n) {
		return
	}
	shown := func(s *schema.Schema) string {
		if len(s.Rules) == 0 {
			return "none"
		}
		return shownRules(w.shownText(s, jsonschema.RenderRules, (*jsonschema.Renderer).Rules))
	}
	f := finding{rule: "rules-changed", pos: w.at, text: fmt.Sprintf("the rules were %s and are %s", shown(o), shown(n))}
	if len(n.Rules) > 0 {
		f.pos = n.Rules[0].Pos
		f.producers = w.claim(o, n, w.outside(n))
	}
	if len(o.Rules) > 0 {
		f.consumers = w.claim(n, o, w.outside(o))
	}
	w.report(f)
}

// rawChanges compares schemas of different types one of which has rules. Which of the two allows more is not known.
func (w *walker) rawChanges(o, n *schema.Schema) {
	whole := func(s *schema.Schema) string {
		full := func(s *schema.Schema) []byte { return jsonschema.Render(s, jsonschema.Options{}) }
		alone := func(r *jsonschema.Renderer, s *schema.Schema) jsonschema.Object { return r.Schema(s, "") }
		return shownRules(w.shownText(s, full, alone))
	}
	w.report(finding{
		rule: "rules-changed", pos: n.Pos, source: true,
		text:      fmt.Sprintf("the schema was %s and is %s", whole(o), whole(n)),
		consumers: w.claim(n, o, w.outside(o)), producers: w.claim(o, n, w.outside(n)),
	})
}

// maxRendered is the size of all schemas that are written with the types that they refer to, in bytes. After that,
// messages show them without these: each of many schemas may refer to all types.
const maxRendered = 4 << 20

func (c *comparer) shownText(s *schema.Schema, full func(*schema.Schema) []byte,
	alone func(*jsonschema.Renderer, *schema.Schema) jsonschema.Object) string {
	if c.rendered < maxRendered {
		text := full(s)
		c.rendered += len(text)
		return string(text)
	}
	r := jsonschema.Renderer{RefTo: func(t *schema.Type) string { return "#/$defs/" + t.Name }}
	return string(alone(&r, s).AppendCompact(nil))
}

// shownRules shows JSON in a message.
func shownRules(compact string) string {
	const head = `{"$schema":"` + jsonschema.DraftURL + `",`
	if rest, ok := strings.CutPrefix(compact, head); ok {
		compact = "{" + rest
	}
	return text.OneLine(text.Shorten(compact, maxShown))
}

// maxShown is the number of characters that a message shows of each side.
const maxShown = 400
