package source

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/schema"
)

const ignoreMark = "bqgen:ignore"

// ignoresIn finds the comments that silence lint rules. The same words in a string are not a comment. To tell them
// apart, each occurrence is replaced by a mark of its own and the text is read again: a mark that turns up in a value
// or a key was no comment.
func ignoresIn(f File, src []byte) []schema.Ignore {
	if !bytes.Contains(src, []byte(ignoreMark)) {
		return nil
	}
	all := splitLines(src)
	prefix := unusedMark(src)
	marked, found := markIgnores(all, prefix)
	if len(found) == 0 {
		return nil
	}
	findings := &Findings{}
	p := &parser{Reporter: findings, reader: NewReader(findings), file: f}
	root := p.parse(marked)
	if root == nil {
		return nil
	}
	values := map[string]bool{}
	collectMarks(root, prefix, values, map[*Node]bool{})
	var ignores []schema.Ignore
	commented := 0 // the last line with such a comment: what follows on it belongs to its reason
	for i, c := range found {
		if commented == c.line || values[fmt.Sprintf("%s%06d", prefix, i)] {
			continue
		}
		commented = c.line
		column := 1 + utf8.RuneCountInString(all[c.line-1][:c.at])
		rule, reason, _ := strings.Cut(strings.TrimSpace(c.body), " ")
		ignores = append(ignores, schema.Ignore{
			Pos:  schema.Pos{File: f.Name, Line: c.line, Column: column},
			Line: ignoredLine(all, c.line, c.at), Rule: rule, Reason: strings.TrimSpace(reason),
		})
	}
	return ignores
}

// An ignoreCandidate is text that is a comment which silences a rule, unless it is part of a string.
type ignoreCandidate struct {
	line int
	at   int    // byte offset of the number sign
	body string // what follows the mark
}

// markIgnores replaces the candidates in the lines by marks.
func markIgnores(all []string, prefix string) (marked []byte, found []ignoreCandidate) {
	var out bytes.Buffer
	for i, line := range all {
		for from := 0; ; {
			at, start := ignoreAt(line, from)
			if at < 0 {
				out.WriteString(strings.ReplaceAll(line[from:], ignoreMark, "bqgen-ignore"))
				break
			}
			end := start + len(ignoreMark)
			found = append(found, ignoreCandidate{i + 1, at, line[end:]})
			out.WriteString(strings.ReplaceAll(line[from:start], ignoreMark, "bqgen-ignore"))
			fmt.Fprintf(&out, "%s%06d", prefix, len(found)-1)
			from = end
		}
		out.WriteByte('\n')
	}
	return out.Bytes(), found
}

// ignoreAt finds the number sign of a candidate, and its mark. It returns -1 when there is none.
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

// ignoredLine returns the line that a comment is for.
func ignoredLine(all []string, line, at int) int {
	if strings.TrimSpace(all[line-1][:at]) != "" {
		return line
	}
	for i := line; i < len(all); i++ {
		if t := strings.TrimSpace(all[i]); t != "" && t[0] != '#' {
			return i + 1
		}
	}
	return 0
}

// unusedMark returns a word that does not occur in the text.
func unusedMark(src []byte) string {
	for i := 0; ; i++ {
		if mark := fmt.Sprintf("bqgen-mark%d-", i); !bytes.Contains(src, []byte(mark)) {
			return mark
		}
	}
}

func collectMarks(n *Node, prefix string, marks map[string]bool, seen map[*Node]bool) {
	if n == nil || seen[n] {
		return
	}
	seen[n] = true
	for rest := n.Text; ; {
		i := strings.Index(rest, prefix)
		if i < 0 {
			break
		}
		rest = rest[i:]
		marks[rest[:min(len(rest), len(prefix)+6)]] = true
		rest = rest[len(prefix):]
	}
	for _, item := range n.Items {
		collectMarks(item, prefix, marks, seen)
	}
	for _, p := range n.Pairs {
		collectMarks(p.Key, prefix, marks, seen)
		collectMarks(p.Value, prefix, marks, seen)
	}
}
