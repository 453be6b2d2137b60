package compat

import (
	"time"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/ignore"
)

// A Waiver is a comment in the catalog that accepts a change.
type Waiver struct {
	Reason string // empty when the comment gives none
	Until  string // the last day on which it counts, as YYYY-MM-DD; empty when it has none
}

// Waive applies the ignore comments of the new catalog to its changes, and returns what is wrong with the comments:
//
//	# bqgen:ignore RULE [of=NAME] [until=YYYY-MM-DD] reason
//
// A comment accepts the changes of the rule on its line that break something. For a removal it has to name the thing
// that was removed. An accepted change gets a Waiver and becomes a note. A comment does not count after its last day:
// today is the time that decides, and at the zero time none has expired.
func Waive(changes []*Change, c *schema.Catalog, today time.Time) schema.Diagnostics {
	comments := ignore.NewSet(c.Ignores, func(rule string) bool { return ruleByID[rule].ID != "" }, today)
	for _, change := range changes {
		if change.Safe() {
			continue
		}
		if comment := comments.Match(change.Diagnostic, change.Gone); comment != nil {
			change.Waived = &Waiver{Reason: comment.Reason, Until: comment.Until}
			change.Severity, change.Hint = change.severity(), ""
		}
	}
	var findings []schema.Diagnostic
	comments.Problems(func(p ignore.Problem, c ignore.Comment, hint string) {
		findings = append(findings, schema.Diagnostic{
			Pos: c.Pos, Rule: p.Rule(), Message: p.Message(c), Hint: hint, Severity: schema.Warning,
		})
	})
	return schema.NewDiagnostics(findings...)
}
