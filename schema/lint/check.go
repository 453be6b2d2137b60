package lint

import (
	"fmt"
	"slices"
	"time"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/ignore"
	"github.com/babelqueue/bqgen/schema/internal/near"
)

// Options are what a check needs besides the catalog.
type Options struct {
	// Today is the time by which ignore comments expire. At the zero time none has expired.
	Today time.Time
	// Elsewhere are rules that other commands check: comments may ignore them.
	Elsewhere []string
}

// Check runs the rules on a catalog, with the levels of its lint section, and leaves out what its comments ignore.
func Check(c *schema.Catalog, o Options) schema.Diagnostics {
	rules := Rules()
	p := &pass{catalog: c, options: o, levels: make(map[string]schema.LintLevel, len(rules))}
	for _, r := range rules {
		p.levels[r.ID] = r.Default
	}
	unknown := p.settings()
	for _, r := range rules {
		if r.check != nil && p.levels[r.ID] != schema.LintOff {
			p.rule = r.ID
			r.check(p)
		}
	}
	p.ignore()
	p.rule = unknownRule
	names := new(near.Finder).Lazy(ruleIDs)
	for _, s := range unknown {
		hint := names.DidYouMean(s.Rule, "bqgen lint --rules lists them")
		p.report(s.Pos, hint, "there is no lint rule %s", text.Quote(s.Rule))
	}
	return schema.NewDiagnostics(p.findings...)
}

// A pass is one run of the rules.
type pass struct {
	catalog  *schema.Catalog
	options  Options
	levels   map[string]schema.LintLevel
	rule     string // that is being checked
	findings []schema.Diagnostic
	// around has the name of the property or type around each property that was visited; empty in a payload.
	around map[*schema.Property]string
}

// settings applies the catalog's lint section. It returns the entries about rules that do not exist.
func (p *pass) settings() (unknown []schema.LintSetting) {
	for _, s := range p.catalog.Lint {
		if !p.known(s.Rule) {
			unknown = append(unknown, s)
			continue
		}
		p.levels[s.Rule] = s.Level
	}
	return unknown
}

func (p *pass) known(rule string) bool {
	_, known := p.levels[rule]
	return known
}

func (p *pass) report(pos schema.Pos, hint, format string, args ...any) {
	level := p.levels[p.rule]
	if level == schema.LintOff {
		return
	}
	severity := schema.Warning
	if level == schema.LintError {
		severity = schema.Error
	}
	p.findings = append(p.findings, schema.Diagnostic{
		Pos: pos, End: p.catalog.End(pos), Rule: p.rule, Message: fmt.Sprintf(format, args...), Hint: hint,
		Severity: severity,
	})
}

// ignore removes the findings that comments ignore, and checks the comments.
func (p *pass) ignore() {
	comments := ignore.NewSet(p.catalog.Ignores, p.known, p.options.Today)
	kept := p.findings[:0]
	for _, f := range p.findings {
		if comments.Match(f, "") == nil {
			kept = append(kept, f)
		}
	}
	p.findings = kept
	p.unknownIgnores()
	comments.Problems(func(problem ignore.Problem, c ignore.Comment, hint string) {
		p.rule = problem.Rule()
		p.report(c.Pos, hint, "%s", problem.Message(c))
	})
}

// unknownIgnores reports comments that name no rule.
func (p *pass) unknownIgnores() {
	const otherwise = "bqgen lint --rules and bqgen breaking --rules list them"
	p.rule = unknownRule
	names := new(near.Finder).Lazy(func() []string { return slices.Concat(ruleIDs(), p.options.Elsewhere) })
	for _, i := range p.catalog.Ignores {
		switch {
		case i.Rule == "":
			p.report(i.Pos, "write # bqgen:ignore RULE reason", "the comment does not name the rule to ignore")
		case !p.known(i.Rule) && !slices.Contains(p.options.Elsewhere, i.Rule):
			p.report(i.Pos, names.DidYouMean(i.Rule, otherwise), "there is no rule %s to ignore", text.Quote(i.Rule))
		}
	}
}

func ruleIDs() []string { return near.Names(Rules(), func(r Rule) string { return r.ID }) }
