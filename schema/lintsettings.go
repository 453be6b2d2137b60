package schema

// A LintSetting is an entry of the catalog's lint section: it says how serious the findings of a lint rule are. Whether
// there is such a rule is for the linter to say.
type LintSetting struct {
	Pos   Pos
	Rule  string
	Level LintLevel
}

// LintLevel is how serious the findings of a lint rule are.
type LintLevel int

// The levels.
const (
	LintOff     LintLevel = iota // not looked for
	LintWarning                  // reported
	LintError                    // reported, and the run ends with findings
)

var lintLevels = map[string]LintLevel{"off": LintOff, "warning": LintWarning, "error": LintError}

func (l *loader) loadLint(n *node) {
	const hint = "off, warning or error"
	if !l.isMapping(n, "lint") {
		return
	}
	for _, p := range n.pairs {
		text, ok := l.reference(p.value, "the level of a lint rule") // off is text here
		if !ok {
			continue
		}
		level, ok := lintLevels[text]
		if !ok {
			l.report(p.value.pos, ruleLintLevel, hint, "there is no level %s of lint rules", quote(text))
			continue
		}
		l.catalog.Lint = append(l.catalog.Lint, LintSetting{Pos: p.key.pos, Rule: p.key.text, Level: level})
	}
}
