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
	f := finding{
		rule: "rules-changed", pos: w.at,
		text: fmt.Sprintf("the rules were %s and are %s", w.inMessage(o, rulesOnly), w.inMessage(n, rulesOnly)),
	}
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
	w.report(finding{
		rule: "rules-changed", pos: n.Pos, source: true,
		text:      fmt.Sprintf("the schema was %s and is %s", w.inMessage(o, wholeSchema), w.inMessage(n, wholeSchema)),
		consumers: w.claim(n, o, w.outside(o)), producers: w.claim(o, n, w.outside(n)),
	})
}

// maxRendered is the size of all schemas that are written with the types that they refer to, in bytes. After that,
// messages show them without these: each of many schemas may refer to all types.
const maxRendered = 4 << 20

// A part is what a message shows of a schema.
type part int

const (
	wholeSchema part = iota
	rulesOnly
)

type shownPart struct {
	schema *schema.Schema
	part   part
}

// inMessage shows a schema in a message. Every schema is written once: many messages may share it.
func (c *comparer) inMessage(s *schema.Schema, p part) string {
	if p == rulesOnly && len(s.Rules) == 0 {
		return "none"
	}
	known, met := c.texts[shownPart{s, p}]
	if !met {
		known = shownRules(c.written(s, p))
		c.texts[shownPart{s, p}] = known
	}
	return known
}

func (c *comparer) written(s *schema.Schema, p part) string {
	if c.rendered >= maxRendered {
		r := jsonschema.Renderer{RefTo: func(t *schema.Type) string { return "#/$defs/" + t.Name }}
		if p == rulesOnly {
			return string(r.Rules(s).AppendCompact(nil))
		}
		return string(r.Schema(s, "").AppendCompact(nil))
	}
	var text []byte
	if p == rulesOnly {
		text = jsonschema.RenderRules(s)
	} else {
		text = jsonschema.Render(s, jsonschema.Options{})
	}
	c.rendered += len(text)
	return string(text)
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
