package jsonschema_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// Patterns that JavaScript understands as Go does stay as they are; others are written so that it does.
func TestPortablePatternsAreJavaScript(t *testing.T) {
	for pattern, want := range map[string]string{
		`^[A-Z]{3}$`: `^[A-Z]{3}$`, `^\d{4}-\d{2}$`: `^\d{4}-\d{2}$`, `^(?:a|b)+?(c)$`: `^(?:a|b)+?(c)$`,
		`^https://[\w.-]+/\p{L}`: `^https://[\w.-]+/\p{L}`, `[^a-z\-]{2,}`: `[^a-z\-]{2,}`, `größe`: `größe`,
		`^[0-9]{4}\-\_x$`:   `^[0-9]{4}\u{2d}_x$`,
		`\Aa\z`:             `^a$`,
		`(?i)ab1`:           `[Aa][Bb]1`,
		`(?P<name>a)|bc`:    `(?:a)|bc`,
		`^{x}$`:             `^\{x\}$`,
		`[[:alpha:]]`:       `[A-Za-z]`,
		`[^[:alpha:]]`:      `[^A-Za-z]`,
		`\x{1F600}`:         "\U0001F600",
		`(?s).(?-s).`:       `[^][^\n]`,
		`(?m)^a$`:           `(?:^|(?<=\n))a(?=\n|$)`,
		`[\w-.]{1,2}?`:      `[\u{2d}-\.0-9A-Z_a-z]{1,2}?`,
		`\Q(a|b)\E{3,}(?i)`: `\(a\|b\){3,}`,
		`(?i:x|yz)\s*`:      `(?:[Xx]|[Yy][Zz])[\u{9}-\u{a}\u{c}-\u{d} ]*`,
		`"\"\'`:             `""'`,
	} {
		if _, err := regexp.Compile(pattern); err != nil {
			t.Fatal(err)
		}
		s := &schema.Schema{Kind: schema.String, Pattern: pattern}
		var got struct{ Pattern string }
		if err := json.Unmarshal(jsonschema.Render(s, jsonschema.Options{Portable: true}), &got); err != nil {
			t.Fatal(err)
		}
		if got.Pattern != want {
			t.Errorf("%s: got  %s, want %s", pattern, got.Pattern, want)
		}
	}
}
