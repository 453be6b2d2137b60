package compat

import (
	"fmt"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

func (w *walker) objects(o, n *schema.Schema) {
	was := propertiesOf(o)
	is := propertiesOf(n)
	if w.quiet {
		// Undeclared members may have a large schema, which is compared with that of every member.
		if w.steps += len(was) + len(is); w.exhausted() {
			return
		}
	}
	for _, p := range n.Properties {
		if w.givesUp() { // the pairs inside of this one have their share
			return
		}
		before := was[p.Name]
		if before == nil {
			w.propertyAdded(o, n, p)
			continue
		}
		w.required(o, n, before, p)
		w.goName(before, p, p.Pos, "property "+text.Quote(p.Name)+" in "+w.label())
		w.step(&frame{old: o, new: n, member: p.Name}, p.Name, p.Pos, before.Schema, p.Schema)
	}
	for _, p := range o.Properties {
		if w.givesUp() {
			return
		}
		if is[p.Name] == nil {
			w.propertyRemoved(o, n, p)
		}
	}
	w.additional(o, n)
	w.memberCounts(o, n)
}

func propertiesOf(s *schema.Schema) map[string]*schema.Property {
	m := make(map[string]*schema.Property, len(s.Properties))
	for _, p := range s.Properties {
		m[p.Name] = p
	}
	return m
}

// without returns a function that builds objects without a member.
func (w *walker) without(s *schema.Schema, name string) func() []any {
	return func() []any {
		if !w.budget.Spend(len(s.Properties)) {
			return nil
		}
		rest := *s
		rest.Properties = nil
		for _, p := range s.Properties {
			if p.Name != name {
				rest.Properties = append(rest.Properties, p)
			}
		}
		var all []any
		for _, v := range w.sampler.values(&rest, &rest, 0) {
			if members, ok := v.(map[string]any); ok {
				if _, there := members[name]; !there {
					all = append(all, v)
				}
			}
		}
		return all
	}
}

// with returns a function that builds objects with a member.
func (w *walker) with(s *schema.Schema, name string, value func() (any, bool)) func() []any {
	return func() []any {
		member, ok := value()
		if !ok {
			return nil
		}
		v, ok := w.sampler.object(s, map[string]any{name: member}, 0)
		if !ok {
			return nil
		}
		return []any{v}
	}
}

func (w *walker) required(o, n *schema.Schema, before, p *schema.Property) {
	name := text.Quote(p.Name)
	switch {
	case p.Required && !before.Required:
		w.report(finding{rule: "required-added", pos: p.Pos, source: true,
			text:      "property " + name + " was optional and is required",
			producers: &claim{w.without(o, p.Name), lacks(p.Name)}})
	case before.Required && !p.Required:
		w.report(finding{rule: "required-removed", pos: p.Pos, source: true,
			text:      "property " + name + " was required and is optional",
			consumers: &claim{w.without(n, p.Name), lacks(p.Name)}})
	}
}

func (w *walker) propertyAdded(o, n *schema.Schema, p *schema.Property) {
	f := finding{rule: "property-added", pos: p.Pos, text: "property " + text.Quote(p.Name) + " was added"}
	if p.Required {
		f.rule, f.text = "required-property-added", "required property "+text.Quote(p.Name)+" was added"
		f.producers = &claim{w.without(o, p.Name), lacks(p.Name)}
	}
	at := frame{old: o, new: n, member: p.Name}
	smallest := func() (any, bool) { return w.sampler.smallest(p.Schema, 0) }
	var consumers, producers *Break
	switch {
	case o.Additional == schema.AdditionalForbidden:
		f.consumers = &claim{w.with(n, p.Name, smallest), contains(p.Name)}
	case o.Additional == schema.AdditionalKept:
		// It was an undeclared member, of the schema of those.
		consumers = w.breaks(toConsumers, at, undeclared(o), p.Schema)
		producers = w.breaks(toProducers, at, undeclared(o), p.Schema)
	}
	w.reportWith(f, consumers, producers)
}

func (w *walker) propertyRemoved(o, n *schema.Schema, p *schema.Property) {
	f := finding{rule: "property-removed", pos: w.keyword(n, "properties"), source: true, gone: p.Name,
		text: "property " + text.Quote(p.Name) + " was removed"}
	if p.Required {
		f.rule, f.text = "required-property-removed", "required property "+text.Quote(p.Name)+" was removed"
		f.consumers = &claim{w.without(n, p.Name), lacks(p.Name)}
	}
	at := frame{old: o, new: n, member: p.Name}
	smallest := func() (any, bool) { return w.sampler.smallest(p.Schema, 0) }
	var consumers, producers *Break
	switch {
	case n.Additional == schema.AdditionalForbidden:
		f.producers = &claim{w.with(o, p.Name, smallest), contains(p.Name)}
	case n.Additional == schema.AdditionalKept:
		consumers = w.breaks(toConsumers, at, p.Schema, undeclared(n))
		producers = w.breaks(toProducers, at, p.Schema, undeclared(n))
	}
	w.reportWith(f, consumers, producers)
}

// undeclared is the schema of undeclared members, where they are kept.
func undeclared(s *schema.Schema) *schema.Schema {
	if s.AdditionalSchema != nil {
		return s.AdditionalSchema
	}
	return &schema.Schema{Pos: s.Pos, Kind: schema.Any}
}

// reportWith reports a change together with breaks that were found before.
func (w *walker) reportWith(f finding, consumers, producers *Break) {
	sub := *w
	sub.out = newChangeSet()
	sub.report(f)
	if len(sub.out.list) > 0 {
		c := sub.out.list[0]
		c.Consumers, c.Producers = keep(c.Consumers, consumers), keep(c.Producers, producers)
		c.Hint = ""
		if !c.Safe() {
			c.Hint = ruleByID[f.rule].Instead
		}
		w.out.add(c)
		return
	}
	if consumers != nil || producers != nil { // quiet: the change itself is not reported
		place := schema.Diagnostic{Pos: f.pos, Rule: f.rule}
		w.out.add(&Change{Diagnostic: place, Consumers: consumers, Producers: producers})
	}
}

func (w *walker) additional(o, n *schema.Schema) {
	if o.Additional == n.Additional && (o.AdditionalSchema == nil) == (n.AdditionalSchema == nil) {
		if o.AdditionalSchema != nil {
			w.step(&frame{old: o, new: n, member: freeName("extra", o, n)}, "additionalProperties",
				n.AdditionalSchema.Pos, o.AdditionalSchema, n.AdditionalSchema)
		}
		return
	}
	name := freeName("extra", o, n)
	extra := func(s *schema.Schema) func() []any {
		return w.with(s, name, func() (any, bool) { return w.sampler.extra(s, 0) })
	}
	f := finding{pos: w.keyword(n, "additionalProperties"), source: true}
	switch {
	case n.Additional == schema.AdditionalForbidden:
		f.rule, f.text = "additional-forbidden", "undeclared members are refused now"
		f.producers = &claim{extra(o), contains(name)}
		f.source = o.Additional == schema.AdditionalKept
	case o.Additional == schema.AdditionalForbidden:
		f.rule, f.text = "additional-allowed", "undeclared members are valid now"
		f.consumers = &claim{extra(n), contains(name)}
		f.source = n.Additional == schema.AdditionalKept
	case o.AdditionalSchema == nil && n.AdditionalSchema == nil:
		f.rule, f.text = "additional-kept", "undeclared members are no longer kept"
		if n.Additional == schema.AdditionalKept {
			f.text = "undeclared members are kept now"
		}
	default: // one side has a schema for them, the other accepts anything
		f.rule, f.text = "additional-changed", "undeclared members have another schema"
		at := frame{old: o, new: n, member: name}
		var consumers, producers *Break
		if o.AdditionalSchema != nil && n.Additional == schema.AdditionalKept {
			consumers = w.breaks(toConsumers, at, o.AdditionalSchema, undeclared(n))
		}
		if n.AdditionalSchema != nil {
			// They were valid whether they were kept or not.
			producers = w.breaks(toProducers, at, undeclared(o), n.AdditionalSchema)
		}
		w.reportWith(f, consumers, producers)
		return
	}
	w.report(f)
}

// memberCounts compares minProperties and maxProperties with how many members the other side writes.
func (w *walker) memberCounts(o, n *schema.Schema) {
	oldLeast, oldMost := written(o)
	newLeast, newMost := written(n)
	oldMin, newMin := valueOf(o.MinProperties, 0), valueOf(n.MinProperties, 0)
	oldMax, newMax := valueOf(o.MaxProperties, open), valueOf(n.MaxProperties, open)
	if oldLeast < newMin && newMin > oldMin {
		w.report(finding{rule: "min-properties-raised", pos: w.keyword(n, "minProperties"),
			text:      fmt.Sprintf("minProperties was %d and is %d", oldMin, newMin),
			producers: w.claim(o, n, beyond("minProperties", newMin))})
	}
	if newLeast < oldMin {
		w.report(finding{rule: "min-properties-lowered", pos: w.keyword(n, "minProperties"),
			text:      fmt.Sprintf("minProperties was %d, and %d members are allowed now", oldMin, newLeast),
			consumers: w.claim(n, o, beyond("minProperties", oldMin))})
	}
	if newMost > oldMax {
		w.report(finding{rule: "max-properties-raised", pos: w.keyword(n, "maxProperties"),
			text:      fmt.Sprintf("maxProperties was %d, and more members are allowed now", oldMax),
			consumers: w.claim(n, o, beyond("maxProperties", oldMax))})
	}
	if oldMost > newMax && newMax < oldMax {
		w.report(finding{rule: "max-properties-lowered", pos: w.keyword(n, "maxProperties"),
			text:      fmt.Sprintf("maxProperties was %s and is %d", number(oldMax), newMax),
			producers: w.claim(o, n, beyond("maxProperties", newMax))})
	}
}

// written returns how many members a producer writes, at least and at most.
func written(s *schema.Schema) (least, most int) {
	for _, p := range s.Properties {
		if p.Required {
			least++
		}
	}
	most = open
	if s.Additional != schema.AdditionalKept {
		most = len(s.Properties)
	}
	return max(least, valueOf(s.MinProperties, 0)), min(most, valueOf(s.MaxProperties, open))
}
