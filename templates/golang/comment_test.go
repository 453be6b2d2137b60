package golang

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTextsStayTexts(t *testing.T) {
	long, short := strings.Repeat("a", 100), strings.Repeat("b", 10)
	for name, tt := range map[string]struct {
		text string
		want doc
	}{
		"nothing":                  {"", nil},
		"blank":                    {" \n\t\n", nil},
		"lines":                    {"a\nb", doc{"a", "b"}},
		"paragraphs":               {"\n\na\n\n\n\nb\n\n", doc{"a", "", "b"}},
		"every line end":           {"a\r\nb\rc\vd\fe\u0085f\u2028g\u2029h", strings.Split("abcdefgh", "")},
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
		"long line":                {long + " " + short + " c", doc{long, short + " c"}},
		"a directive after a wrap": {long + " +build " + long, doc{long + " +build", long}},
		"a wrap before one":        {long + short + " Deprecated: b", doc{long + short, `\Deprecated: b`}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, prose(tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNamesAreQuotedWhereTheyHaveTo(t *testing.T) {
	for name, want := range map[string]string{
		"urn:babel:a:b": "urn:babel:a:b", "a\nb": `"a\nb"`, "Deprecated: x": `"Deprecated: x"`,
	} {
		if got := quoted(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}
