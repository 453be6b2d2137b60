package schema

// A LintSetting is an entry of the catalog's lint section: how serious the findings of a lint rule are. The linter
// decides whether there is such a rule.
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
	LintError                    // reported, and the run fails
)

// An Ignore is a comment that ignores a rule of lint, or about breaking changes, on one line:
//
//	# bqgen:ignore RULE [of=NAME] [until=YYYY-MM-DD] reason
//
// At the end of a line it is for that line. On a line of its own it is for the next line that is not a comment.
type Ignore struct {
	Pos    Pos
	Line   int    // that it is for; 0 when nothing follows
	Rule   string // empty when the comment names none
	Reason string // with the options before it; empty when the comment gives none
}
