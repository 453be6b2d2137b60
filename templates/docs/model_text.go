package docs

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// name returns a name as it is, on one line and with its spaces. It quotes a name whose ends would not be seen.
func name(s string) string {
	s = strings.ReplaceAll(text.Visible(s), "\n", "<U+000A>")
	if strings.Trim(s, " ") == "" || s[0] == ' ' || s[len(s)-1] == ' ' {
		return `"` + s + `"`
	}
	return s
}

// paragraphs returns the parts of a text between empty lines, each on one line.
func paragraphs(s string) []string {
	var all, current []string
	end := func() {
		if len(current) > 0 {
			all = append(all, strings.Join(current, " "))
			current = nil
		}
	}
	for line := range strings.SplitSeq(text.Visible(s), "\n") {
		if line = text.OneLine(line); line == "" {
			end()
		} else {
			current = append(current, line)
		}
	}
	end()
	return all
}

// searchWords returns what the search looks through.
func searchWords(texts ...string) string {
	return strings.ToLower(text.OneLine(strings.Join(texts, " ")))
}
