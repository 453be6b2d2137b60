package report

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub prints findings as workflow commands, which GitHub shows at their lines in a pull request. Whatever a catalog
// says stays data: it cannot end the command or begin another.
func GitHub(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	for _, f := range r.Findings {
		text := f.Message
		for _, d := range f.Details {
			text += "\n" + d.Name + ": " + readable(d.Value)
		}
		if f.Hint != "" {
			text += "\nhint: " + f.Hint
		}
		fmt.Fprintf(out, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", githubLevel(f.Severity),
			githubProperty.Replace(filepath.ToSlash(f.Pos.File)), f.Pos.Line, f.Pos.Column, githubProperty.Replace("bqgen "+f.Rule), githubData.Replace(text))
	}
	return out.Flush()
}

func githubLevel(s schema.Severity) string {
	if s == schema.Note {
		return "notice"
	}
	return s.String()
}
