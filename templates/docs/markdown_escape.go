package docs

import (
	"fmt"
	"regexp"
	"strings"
)

// Escaping for GitHub-flavoured Markdown. Texts come here on one line.

// mdSpecial are the characters that mean something anywhere in a line.
var mdSpecial = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"|", `\|`, "~", `\~`, "$", `\$`, "!", `\!`,
	"://", `\://`, "www.", `www\.`, "WWW.", `WWW\.`, // these would become links
	"@", "&#64;",
)

// mdStart is what means something at the start of a line.
var mdStart = regexp.MustCompile(`^(\d+)([.)])|^[-+#=:]`)

// mdText is a text without a meaning in Markdown.
func mdText(s string) string {
	s = mdSpecial.Replace(strings.TrimSpace(s))
	return mdStart.ReplaceAllStringFunc(s, func(start string) string {
		return start[:len(start)-1] + `\` + start[len(start)-1:]
	})
}

// mdCode is a text in a code span. In a table a | would end the cell, and no backslash helps where there are others.
func mdCode(s string) string {
	if strings.Contains(s, "|") {
		return "<code>" + punctuation.ReplaceAllStringFunc(s, func(p string) string { return fmt.Sprintf("&#%d;", p[0]) }) + "</code>"
	}
	fence := mdFence(s, 1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

var punctuation = regexp.MustCompile(`[!-/:-@\[-` + "`" + `{-~]`)

// mdFence is a row of backticks, at least as many as least, that s does not have.
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

func mdLink(text, page string) string { return "[" + mdText(text) + "](" + page + ".md)" }
