package docs

import (
	"regexp"
	"strings"
	"testing"
)

func TestMarkdownEscapes(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"plain, text (with) 1.5 and a-b.", "plain, text (with) 1.5 and a-b."},
		{"*a* _b_ `c` [d](e) ~f~", "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\~f\\~"},
		{"<b>&amp;", "&lt;b&gt;&amp;amp;"},
		{"# a", `\# a`}, {"- a", `\- a`}, {"+ a", `\+ a`}, {"1. a", `1\. a`}, {"12) a", `12\) a`}, {"=== a", `\=== a`},
		{"> a", "&gt; a"}, {"a|b", `a\|b`}, {`a\|b`, `a\\\|b`},
		{"https://x.y", `https\://x.y`}, {"www.x.y", `www\.x.y`}, {"a@b.c", "a&#64;b.c"}, {"![x](y)", `\!\[x\](y)`},
		{"", ""},
	} {
		if got := mdText(tc.text); got != tc.want {
			t.Errorf("text %q: %q, want %q", tc.text, got, tc.want)
		}
	}
	for _, tc := range []struct{ text, want string }{
		{"a", "`a`"}, {"a`b", "``a`b``"}, {"`a", "`` `a ``"}, {"``", "``` `` ```"}, {" a ", "`  a  `"}, {"<b>", "`<b>`"},
		{`a|b\`, `<code>a&#124;b&#92;</code>`}, {"|<b>`", "<code>&#124;&#60;b&#62;&#96;</code>"},
	} {
		if got := mdCode(tc.text); got != tc.want {
			t.Errorf("code %q: %q, want %q", tc.text, got, tc.want)
		}
	}
}

// tag finds HTML; what bqgen itself writes is a break or code.
var tag = regexp.MustCompile(`<[^>\n]*>?`)

// span finds code spans.
var span = regexp.MustCompile("(`+)[^`](?:.*?[^`])??(`+)")

func TestTextsOfTheCatalogStayTextsInMarkdown(t *testing.T) {
	files := generate(t, parse(t, hostile(t)), Markdown)
	link := regexp.MustCompile(`\]\(([^)]*)\)`)
	for name, text := range files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		fence := ""
		for i, l := range strings.Split(string(text), "\n") {
			switch {
			case fence != "":
				if l == fence {
					fence = ""
				}
				continue
			case strings.HasPrefix(l, "```"):
				fence = strings.TrimRight(l, "abcdefghijklmnopqrstuvwxyz")
				continue
			case i == 0:
				continue
			}
			columns := strings.Count(strings.ReplaceAll(l, `\|`, ""), "|")
			if strings.HasPrefix(l, "|") && columns != 5 {
				t.Errorf("%s: a row of %d cells: %s", name, columns-1, l)
			}
			rest := span.ReplaceAllString(l, "")
			for _, found := range tag.FindAllString(rest, -1) {
				if found != "<br>" && found != "<code>" && found != "</code>" {
					t.Errorf("%s: the tag %s in %s", name, found, l)
				}
			}
			for _, m := range link.FindAllStringSubmatch(strings.ReplaceAll(rest, `\]`, ""), -1) {
				if files[m[1]] == nil {
					t.Errorf("%s: a link to %s in %s", name, m[1], l)
				}
			}
			if strings.Contains(rest, "://") && !strings.Contains(rest, `\://`) {
				t.Errorf("%s: an address: %s", name, l)
			}
		}
		if fence != "" {
			t.Errorf("%s: a code block is left open", name)
		}
	}
}
