package docs

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestMarkdownEscapes(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"plain, text (with) 1.5 and a-b.", "plain, text (with) 1.5 and a-b."},
		{"*a* _b_ `c` [d](e) ~f~", "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\~f\\~"},
		{"<b>&amp;", "&lt;b&gt;&amp;amp;"},
		{"# a", `\# a`}, {"- a", `\- a`}, {"+ a", `\+ a`},
		{"1. a", `1\. a`}, {"12) a", `12\) a`}, {"=== a", `\=== a`}, {" - a ", `\- a`},
		{"> a", "&gt; a"}, {"a|b", `a\|b`}, {`a\|b`, `a\\\|b`},
		{"https://x.y", `https\://x.y`}, {"www.x.y", `www\.x.y`}, {"a@b.c", "a&#64;b.c"},
		{"![x](y)", `\!\[x\](y)`},
		{"", ""},
	} {
		if got := mdText(tc.text); got != tc.want {
			t.Errorf("text %q: %q, want %q", tc.text, got, tc.want)
		}
	}
	for _, tc := range []struct{ text, want string }{
		{"a", "`a`"}, {"a`b", "``a`b``"}, {"`a", "`` `a ``"}, {"``", "``` `` ```"}, {" a ", "`  a  `"},
		{"<b>", "`<b>`"},
		{`a|b\`, `<code>a&#124;b&#92;</code>`}, {"|<b>`", "<code>&#124;&#60;b&#62;&#96;</code>"},
	} {
		if got := mdCode(tc.text); got != tc.want {
			t.Errorf("code %q: %q, want %q", tc.text, got, tc.want)
		}
	}
}

// tag finds HTML tags. bqgen itself writes breaks and code.
var tag = regexp.MustCompile(`<[^>\n]*>?`)

// span finds code spans.
var span = regexp.MustCompile("(`+)[^`](?:.*?[^`])??(`+)")

func TestTextsOfTheCatalogAreEscapedInMarkdown(t *testing.T) {
	c := parse(t, hostile(t))
	c.File = "<b>-->.yaml"
	files := generate(t, c, Markdown)
	link := regexp.MustCompile(`\]\(([^)]*)\)`)
	for name, text := range files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		if !bytes.HasPrefix(text, []byte(generated+"\n<!-- Source: %3Cb%3E-%2D%3E.yaml, package shop -->\n")) {
			t.Errorf("%s: the header is %.100q", name, text)
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
			case i < 2: // the header
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
			t.Errorf("%s: a code block is not closed", name)
		}
	}
}

var (
	mdLinkText  = regexp.MustCompile(`\[((?:\\.|[^\]\\])*)\]\([a-z-]+\.md\)`)
	mdBackslash = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
)

// seen returns the text that a reader sees of inline Markdown.
func seen(markdown string) string {
	markdown = mdLinkText.ReplaceAllString(markdown, "$1")
	return html.UnescapeString(mdBackslash.ReplaceAllString(markdown, "$1"))
}

// A phrase is joined from texts and links: on the way to a page, none of its spaces may get lost.
func TestPhrasesReadTheSameEverywhere(t *testing.T) {
	sh, money := shaperFor(everything())
	for _, s := range vocabulary(money) {
		words := sh.typeOf(s)
		want := words.String()
		if got := seen(mdPhrase(words)); got != want {
			t.Errorf("Markdown reads %q, want %q", got, want)
		}
		var b strings.Builder
		if err := pages.ExecuteTemplate(&b, "phrase", words); err != nil {
			t.Fatal(err)
		}
		tree, err := html.Parse(strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		if got := textOf(tree); got != want {
			t.Errorf("HTML reads %q, want %q", got, want)
		}
	}
}

func TestNoWordTouchesALinkInMarkdown(t *testing.T) {
	touches := regexp.MustCompile(`[\pL\pN]\[[^\]]*\]\([^)]*\)|\]\([^)]*\)[\pL\pN]`)
	for _, path := range []string{shop, everyKeyword, example} {
		for name, content := range generate(t, load(t, path), Markdown) {
			if !strings.HasSuffix(name, ".md") {
				continue
			}
			prose := fencedCode.ReplaceAllString(string(content), "") // Go code indexes generic types
			if found := touches.FindString(prose); found != "" {
				t.Errorf("%s: %s", name, found)
			}
		}
	}
}

var fencedCode = regexp.MustCompile("(?s)\n```.*?\n```\n")
