package lint

import (
	"fmt"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/near"
)

// Check runs the rules on a catalog, with the levels that its lint section gives them, and leaves out what its
// comments silence.
func Check(c *schema.Catalog) schema.Diagnostics {
	rules := Rules()
	levels := make(map[string]schema.LintLevel, len(rules))
	for _, r := range rules {
		levels[r.ID] = r.Default
	}
	p := &pass{catalog: c}
	var settings []schema.LintSetting // of rules that are not there
	for _, s := range c.Lint {
		if _, known := levels[s.Rule]; !known {
			settings = append(settings, s)
			continue
		}
		levels[s.Rule] = s.Level
	}
	for _, r := range rules {
		if p.rule, p.level = r.ID, levels[r.ID]; r.check != nil && p.level != schema.LintOff {
			r.check(p)
		}
	}
	p.silence(rules, levels)
	p.rule, p.level = unknownRule, levels[unknownRule]
	for _, s := range settings {
		p.report(s.Pos, nearestRule(rules, s.Rule), "there is no lint rule %s", text.Quote(s.Rule))
	}
	return schema.NewDiagnostics(p.findings...)
}

// A pass is one run of the rules.
type pass struct {
	catalog  *schema.Catalog
	rule     string
	level    schema.LintLevel
	findings []schema.Diagnostic
}

func (p *pass) report(pos schema.Pos, hint, format string, args ...any) {
	if p.level == schema.LintOff {
		return
	}
	severity := schema.Warning
	if p.level == schema.LintError {
		severity = schema.Error
	}
	p.findings = append(p.findings, schema.Diagnostic{
		Pos: pos, End: p.catalog.End(pos),
		Rule: p.rule, Message: fmt.Sprintf(format, args...), Hint: hint, Severity: severity,
	})
}

// silence removes what comments ignore, and checks the comments.
func (p *pass) silence(rules []Rule, levels map[string]schema.LintLevel) {
	type target struct {
		file string
		line int
		rule string
	}
	ignored := map[target]bool{} // whether something was silenced
	for _, i := range p.catalog.Ignores {
		ignored[target{i.Pos.File, i.Line, i.Rule}] = false
	}
	kept := p.findings[:0]
	for _, f := range p.findings {
		t := target{f.Pos.File, f.Pos.Line, f.Rule}
		if _, there := ignored[t]; there {
			ignored[t] = true
			continue
		}
		kept = append(kept, f)
	}
	p.findings = kept
	met := map[target]bool{}
	for _, i := range p.catalog.Ignores {
		t := target{i.Pos.File, i.Line, i.Rule}
		_, known := levels[i.Rule]
		switch {
		case i.Rule == "":
			p.as(unknownRule, levels).report(i.Pos, "write # bqgen:ignore RULE reason",
				"the comment does not say what to ignore")
		case !known:
			p.as(unknownRule, levels).report(i.Pos, nearestRule(rules, i.Rule),
				"there is no lint rule %s to ignore", text.Quote(i.Rule))
		case met[t] || !ignored[t]:
			p.as(unneededIgnore, levels).report(i.Pos, "remove the comment",
				"nothing is found here that breaks %s", i.Rule)
		case i.Reason == "":
			p.as(ignoreReason, levels).report(i.Pos, "write # bqgen:ignore "+i.Rule+" and the reason",
				"%s is ignored without a reason", i.Rule)
		}
		met[t] = true
	}
}

// nearestRule is the hint for a rule that does not exist.
func nearestRule(rules []Rule, id string) string {
	known := near.Names(rules, func(r Rule) string { return r.ID })
	return near.DidYouMean(id, known, "bqgen lint --rules lists them")
}

func (p *pass) as(rule string, levels map[string]schema.LintLevel) *pass {
	p.rule, p.level = rule, levels[rule]
	return p
}
