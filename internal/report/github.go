package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/babelqueue/bqgen/internal/console"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub prints findings as workflow commands, which GitHub shows at their lines in a pull request. Text of a catalog
// stays data: it can neither end the command nor begin another.
func GitHub(w io.Writer, r *Report) error {
	shown, omitted := r.shown()
	for _, f := range shown {
		message := text.Escape(f.Message)
		for _, d := range f.Details {
			message += "\n" + d.Name + ": " + readable(d.Value)
		}
		if f.Hint != "" {
			message += "\nhint: " + text.Escape(f.Hint)
		}
		err := console.Command(w, fmt.Sprintf("::%s file=%s,%s,title=%s::%s", githubLevel(f.Severity),
			githubProperty.Replace(filepath.ToSlash(f.Pos.File)), githubRegion(f.Diagnostic),
			githubProperty.Replace("bqgen "+f.Rule), githubData.Replace(message)))
		if err != nil {
			return err
		}
	}
	if omitted == nil {
		return nil
	}
	rest := githubData.Replace(omittedText(omitted))
	return console.Command(w, fmt.Sprintf("::notice title=bqgen %s::%s", omittedRule, rest))
}

// githubRegion is the place of a finding. GitHub takes an end column only on the line of the start.
func githubRegion(d schema.Diagnostic) string {
	region := fmt.Sprintf("line=%d,col=%d", d.Pos.Line, d.Pos.Column)
	switch {
	case d.End.Line == 0:
		return region
	case d.End.Line != d.Pos.Line:
		return fmt.Sprintf("%s,endLine=%d", region, d.End.Line)
	}
	return fmt.Sprintf("%s,endLine=%d,endColumn=%d", region, d.End.Line, d.End.Column)
}

func githubLevel(s schema.Severity) string {
	if s == schema.Note {
		return "notice"
	}
	return s.String()
}
