package text_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/text"
)

func TestBlankIsTheClosedASCIISetOfENV8(t *testing.T) {
	for _, s := range []string{"", " ", "\t\n\v\f\r "} {
		if !text.IsBlank(s) {
			t.Errorf("%q is not blank", s)
		}
	}
	for _, s := range []string{"\u00a0", "\u0085", "\ufeff", "\u2003", "\u3000", "\x1c", "\x1f", "x"} {
		if text.IsBlank(s) || text.IsPadded(s) {
			t.Errorf("%q is blank", s)
		}
		if !text.IsPadded(s+" ") || !text.IsPadded("\v"+s) {
			t.Errorf("%q with blanks around it is not padded", s)
		}
	}
}

func TestQuoteKeepsTextShortAndOnItsLine(t *testing.T) {
	long := strings.Repeat("é", 100)
	for in, want := range map[string]string{
		"a":                        `"a"`,
		"a\nb\x1b[0m\u202e\u2028":  `"a\nb\x1b[0m\u202e\u2028"`,
		long:                       `"` + strings.Repeat("é", 80) + `..."`,
		strings.Repeat("x", 80):    `"` + strings.Repeat("x", 80) + `"`,
		"invalid \xff":             `"invalid \xff"`,
		strings.Repeat("\xff", 81): `"` + strings.Repeat(`\xff`, 80) + `..."`,
	} {
		if got := text.Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
	if !utf8.ValidString(text.Short(long)) {
		t.Error("Short splits characters")
	}
}

func TestAppendJSONReadsBackAndEscapesOnlyWhatItMust(t *testing.T) {
	for _, s := range []string{"", "a\"b\\c", "\b\f\n\r\t\x00\x1f", "größe 日本 👍", "</script>\u2028\u2029\x7f", "a/b"} {
		var back string
		if err := json.Unmarshal(text.AppendJSON(nil, s), &back); err != nil || back != s {
			t.Errorf("%q reads back as %q, %v", s, back, err)
		}
	}
	if got, want := string(text.AppendJSON([]byte("x"), "</ü\x01\"")), `x"</ü\u0001\""`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(text.AppendJSON([]byte("x"), "a\xffb")), "x\"a\ufffdb\""; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestALongListIsCut(t *testing.T) {
	words := text.QuoteAll(make([]string, 100_000))
	got := text.List(words)
	if len(got) > 1100 || !strings.HasPrefix(got, `"", "", `) || !strings.HasSuffix(got, " more") {
		t.Errorf("%d characters: %.20s...", len(got), got)
	}
	if got := text.List(words[:3]); got != `"", "", ""` {
		t.Errorf("a short list is %s", got)
	}
}
