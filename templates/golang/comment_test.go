package golang

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTextsStayTexts(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want doc
	}{
		"nothing":                  {"", nil},
		"blank":                    {" \n\t\n", nil},
		"lines":                    {"a\nb", doc{"a", "b"}},
		"paragraphs":               {"\n\na\n\n\n\nb\n\n", doc{"a", "", "b"}},
		"every line end":           {"a\r\nb\rc\vd\fe\u0085f\u2028g\u2029h", doc{"a", "b", "c", "d", "e", "f", "g", "h"}},
		"indentation":              {"  a\n\tb", doc{"a", "b"}},
		"build constraint":         {"+build ignore", doc{`\+build ignore`}},
		"plus":                     {"+buildings", doc{"+buildings"}},
		"deprecation":              {"Deprecated: x\ndeprecated: y", doc{`\Deprecated: x`, `\deprecated: y`}},
		"note":                     {"BUG(x): y\nTODO(x)", doc{`\BUG(x): y`, `\TODO(x)`}},
		"heading and link":         {"# A\n[x]: y", doc{`\# A`, `\[x]: y`}},
		"control characters":       {"a\x00b\x1b[31mc\x7f", doc{"a<U+0000>b<U+001B>[31mc<U+007F>"}},
		"byte order mark":          {"\ufeffa", doc{"<U+FEFF>a"}},
		"text that runs backwards": {"a\u202eb\u2066", doc{"a<U+202E>b<U+2066>"}},
		"joiners":                  {"👩\u200d💻 a\u200db", doc{"👩\u200d💻 a<U+200D>b"}},
		"not UTF-8":                {"a\xffb", doc{"a<U+FFFD>b"}},
		"long line":                {strings.Repeat("a", 100) + " " + strings.Repeat("b", 10) + " c", doc{strings.Repeat("a", 100), strings.Repeat("b", 10) + " c"}},
		"a directive after a wrap": {strings.Repeat("a", 100) + " +build " + strings.Repeat("b", 100), doc{strings.Repeat("a", 100) + " +build", strings.Repeat("b", 100)}},
		"a wrap before one":        {strings.Repeat("a", 110) + " Deprecated: b", doc{strings.Repeat("a", 110), `\Deprecated: b`}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, text(tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOneLineIsOne(t *testing.T) {
	if got := oneLine(" a\r\nb\u2028c\td\x00 "); got != "a b c d<U+0000>" {
		t.Errorf("got %q", got)
	}
}

func TestNamesAreQuotedWhereTheyHaveTo(t *testing.T) {
	for name, want := range map[string]string{
		"urn:babel:a:b": "urn:babel:a:b", "größe": "größe", "": `""`, " a": `" a"`, "a  b": `"a  b"`, "a\nb": `"a\nb"`, "\u202ea": `"\u202ea"`, "Deprecated: x": `"Deprecated: x"`,
	} {
		if got := quoted(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}
