package load

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/near"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

var (
	lintLevelNames = []string{"off", "warning", "error"}
	lintLevels     = map[string]schema.LintLevel{
		"off": schema.LintOff, "warning": schema.LintWarning, "error": schema.LintError,
	}
)

// lint reads lint: the level of each rule. The linter knows the rules.
func (l *loader) lint(n *source.Node) {
	if !l.IsMapping(n, "lint") {
		return
	}
	for _, p := range n.Pairs {
		word, ok := l.Name(p.Value, "the level of a lint rule") // off is text here
		if !ok {
			continue
		}
		level, ok := lintLevels[word]
		if !ok {
			hint := near.DidYouMean(word, lintLevelNames, "off, warning or error")
			l.Report(p.Value.Pos, schema.RuleLintLevel, hint, "there is no level %s of lint rules", text.Quote(word))
			continue
		}
		l.catalog.Lint = append(l.catalog.Lint, schema.LintSetting{Pos: p.Key.Pos, Rule: p.Key.Text, Level: level})
	}
}
