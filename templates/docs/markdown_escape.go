package docs

import (
	"fmt"
	"regexp"
	"strings"
)

// This file escapes texts for GitHub-flavoured Markdown. The texts have no line ends.

// mdSpecial escapes the characters that have a meaning anywhere in a line.
var mdSpecial = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "|", `\|`, "~", `\~`, "$", `\$`, "!", `\!`,
	"://", `\://`, "www.", `www\.`, "WWW.", `WWW\.`, // these would become links
	"@", "&#64;",
)

// mdStart matches what has a meaning at the start of a block.
var mdStart = regexp.MustCompile(`^(\d+)([.)])|^[-+#=:]`)

// mdInline escapes a text that follows something else on its line. Spaces at its ends stay, as they separate words.
func mdInline(s string) string { return mdSpecial.Replace(s) }

// mdText escapes a text that is or begins a block: a paragraph, a heading or the cell of a table.
func mdText(s string) string {
	return mdStart.ReplaceAllStringFunc(mdInline(strings.TrimSpace(s)), func(start string) string {
		return start[:len(start)-1] + `\` + start[len(start)-1:]
	})
}

// mdCode returns a text in a code span. A | would end the cell of a table, and a backslash before it does not help when
// the text contains others.
func mdCode(s string) string {
	if strings.Contains(s, "|") {
		s = punctuation.ReplaceAllStringFunc(s, func(p string) string { return fmt.Sprintf("&#%d;", p[0]) })
		return "<code>" + s + "</code>"
	}
	fence := mdFence(s, 1)
	spaced := strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ")
	if spaced || strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

var punctuation = regexp.MustCompile(`[!-/:-@\[-` + "`" + `{-~]`)

// mdFence returns a run of at least least backticks that does not occur in s.
func mdFence(s string, least int) string {
	longest, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", max(least, longest+1))
}

// mdLink returns a link to another page.
func mdLink(text, page string) string { return "[" + mdInline(text) + "](" + page + ".md)" }
