package text_test

import (
	"testing"

	"github.com/babelqueue/bqgen/internal/text"
)

func TestTextIsShortenedByCharacters(t *testing.T) {
	for _, tt := range []struct {
		in     string
		limit  int
		want   string
		quoted string
	}{
		{"", 3, "", `""`},
		{"äöü", 3, "äöü", `"äöü"`},
		{"äöüß", 3, "äöü…", `"äöü"…`},
		{"a\nb", 3, "a\nb", `"a\nb"`},
		{"abcdef", 3, "abc…", `"abc"…`}, // as many bytes as before
		{"ab…", 2, "ab…", `"ab…"`},
	} {
		if got := text.Shorten(tt.in, tt.limit); got != tt.want {
			t.Errorf("Shorten(%q) is %q, want %q", tt.in, got, tt.want)
		}
		if got := text.QuoteShort(tt.in, tt.limit); got != tt.quoted {
			t.Errorf("QuoteShort(%q) is %s, want %s", tt.in, got, tt.quoted)
		}
	}
	if one, two := text.Count(1, "item"), text.Count(2, "item"); one != "1 item" || two != "2 items" {
		t.Errorf("got %q and %q", one, two)
	}
}

func TestInvisibleCharactersBecomeVisible(t *testing.T) {
	for in, want := range map[string]string{
		"a\tb":          "a b",
		"a\r\nb\u2028c": "a\nb\nc",
		"a\x1b[31mb":    "a<U+001B>[31mb",
		"a\u202eb":      "a<U+202E>b",
		"a\u200db":      "a<U+200D>b",
		"ä\u200db":      "ä\u200db",
		"\xff":          "<U+FFFD>",
	} {
		if got := text.Visible(in); got != want {
			t.Errorf("Visible(%q) is %q, want %q", in, got, want)
		}
	}
	if got := text.OneLine(" a \n\n b\x00 "); got != "a b<U+0000>" {
		t.Errorf("OneLine is %q", got)
	}
}

func TestNamesAreQuotedWhereTheyWouldMislead(t *testing.T) {
	for in, want := range map[string]string{
		"urn:babel:a:b": "urn:babel:a:b", "größe": "größe", "": `""`, " a": `" a"`, "a  b": `"a  b"`, "a\nb": `"a\nb"`,
		"\u202ea": `"\u202ea"`,
	} {
		if got := text.Name(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
