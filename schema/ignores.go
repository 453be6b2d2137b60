package schema

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// An Ignore is a comment that silences a lint rule for one line, with the reason why:
//
//	# bqgen:ignore RULE reason
//
// Behind something, it is for that line; on a line of its own it is for the next line that is more than a comment.
type Ignore struct {
	Pos    Pos
	Line   int    // that it is for; 0 when nothing follows
	Rule   string // empty when the comment does not say
	Reason string // empty when the comment does not say
}

const ignoreMark = "bqgen:ignore"

// readIgnores finds the comments that silence rules. The same words in a string are not a comment: to tell, each
// occurrence is replaced by a mark of its own and the text read again; marks that turn up in a value or a key were no
// comment.
func (l *loader) readIgnores(text []byte) {
	if !bytes.Contains(text, []byte(ignoreMark)) {
		return
	}
	lines := textLines(text)
	type candidate struct {
		line, at int // at is the byte offset of the number sign
		body     string
	}
	var found []candidate
	var marked bytes.Buffer
	prefix := unusedMark(text)
	for i, line := range lines {
		for from := 0; ; {
			at, start := ignoreAt(line, from)
			if at < 0 {
				marked.WriteString(strings.ReplaceAll(line[from:], ignoreMark, "bqgen-ignore"))
				break
			}
			end := start + len(ignoreMark)
			found = append(found, candidate{i + 1, at, line[end:]})
			marked.WriteString(strings.ReplaceAll(line[from:start], ignoreMark, "bqgen-ignore"))
			fmt.Fprintf(&marked, "%s%06d", prefix, len(found)-1)
			from = end
		}
		marked.WriteByte('\n')
	}
	if len(found) == 0 {
		return
	}
	second := newLoader(l.file)
	root := second.parseYAML(marked.Bytes())
	if root == nil {
		return
	}
	values := map[string]bool{}
	collectMarks(root, prefix, values, map[*node]bool{})
	commented := 0 // the last line with such a comment: what follows on it belongs to its reason
	for i, c := range found {
		if commented == c.line || values[fmt.Sprintf("%s%06d", prefix, i)] {
			continue
		}
		commented = c.line
		line := lines[c.line-1]
		ignore := Ignore{Pos: Pos{l.file, c.line, 1 + utf8.RuneCountInString(line[:c.at])}}
		rule, reason, _ := strings.Cut(strings.TrimSpace(c.body), " ")
		ignore.Rule, ignore.Reason = rule, strings.TrimSpace(reason)
		ignore.Line = ignoredLine(lines, c.line, c.at)
		l.catalog.Ignores = append(l.catalog.Ignores, ignore)
	}
}

// textLines splits at the line ends of YAML.
func textLines(text []byte) []string {
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(string(text), "\r\n", "\n"), "\r", "\n"), "\n")
}

// ignoreAt finds the number sign of what could be such a comment, and the words; -1 is none.
func ignoreAt(line string, from int) (at, words int) {
	for at = from; at < len(line); at++ {
		if line[at] != '#' || at > 0 && line[at-1] != ' ' && line[at-1] != '\t' {
			continue
		}
		words = len(line) - len(strings.TrimLeft(line[at:], "# \t"))
		body, found := strings.CutPrefix(line[words:], ignoreMark)
		if found && (body == "" || body[0] == ' ' || body[0] == '\t') {
			return at, words
		}
	}
	return -1, -1
}

// ignoredLine is the line that a comment is for.
func ignoredLine(lines []string, line, at int) int {
	if strings.TrimSpace(lines[line-1][:at]) != "" {
		return line
	}
	for i := line; i < len(lines); i++ {
		if t := strings.TrimSpace(lines[i]); t != "" && t[0] != '#' {
			return i + 1
		}
	}
	return 0
}

// unusedMark makes a word that the text does not have.
func unusedMark(text []byte) string {
	for i := 0; ; i++ {
		if mark := fmt.Sprintf("bqgen-mark%d-", i); !bytes.Contains(text, []byte(mark)) {
			return mark
		}
	}
}

func collectMarks(n *node, prefix string, marks map[string]bool, seen map[*node]bool) {
	if n == nil || seen[n] {
		return
	}
	seen[n] = true
	for rest := n.text; ; {
		i := strings.Index(rest, prefix)
		if i < 0 {
			break
		}
		rest = rest[i:]
		marks[rest[:min(len(rest), len(prefix)+6)]] = true
		rest = rest[len(prefix):]
	}
	for _, item := range n.items {
		collectMarks(item, prefix, marks, seen)
	}
	for _, p := range n.pairs {
		collectMarks(p.key, prefix, marks, seen)
		collectMarks(p.value, prefix, marks, seen)
	}
}
