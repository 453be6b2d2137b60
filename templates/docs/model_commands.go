package docs

import (
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// commands returns the commands for those who operate a queue, to be copied: one block for a queue without services,
// and the dead letters of each service otherwise.
func commands(q *schema.Queue) code {
	name := shellWord(q.Name)
	lines := []string{
		"bqgen status",
		"bqgen tail " + name + " --since 10m",
	}
	letters := func(service string) {
		if service != "" {
			service = " --service " + shellWord(service)
		}
		lines = append(lines,
			"bqgen dlq list "+name+service,
			"bqgen dlq redrive "+name+service+" --dry-run",
		)
	}
	switch {
	case !q.KeepsDeadLetters():
	case len(q.Services) == 0:
		letters("")
	default:
		for _, s := range q.Services {
			letters(s.Name)
		}
	}
	return code(nil).add("", strings.Join(lines, "\n"))
}

// plainWord are the characters of a word that no shell takes for anything else.
const plainWord = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/-"

// shellWord returns a text as one word of a POSIX shell that is not taken for a flag.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, plainWord) == "" && s[0] != '-' {
		return s
	}
	quoted := "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	if strings.HasPrefix(s, "-") {
		return "-- " + quoted
	}
	return quoted
}
