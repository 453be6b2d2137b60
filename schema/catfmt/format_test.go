package catfmt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/load"
)

const untidy = `# yaml-language-server: $schema=x

# The shop.
package:   shop
bqgen: 1 # format

# Queues first.


queues:
    # orders
    orders: {dead_letter: false, topic: t}   # stays
    mail:
          name: Mail
          description: |
              Text
                indented

              # no comment
          # above topic
          topic: mail
          # at the end of mail
    # at the end of queues
urns:
  urn:a:b:
    data:
       properties:
         # the number
         id:     {type: integer}
         lines:
           items: {type: object, properties: {a: {type: string}}}
           type: array
       type: object
       required:
       - id
       -   lines

    queue: orders
    summary: >-
     folded
     text
  urn:a:c:
    queue: mail
    data:
      type: object
    examples:
      - b: 1
        a: 2
        # inside
      -
        # above
        z: 3
# the end
`

const tidy = `# yaml-language-server: $schema=x

# The shop.
bqgen: 1 # format
package: shop

# Queues first.

queues:
  # orders
  orders: {dead_letter: false, topic: t}   # stays
  mail:
    description: |
      Text
        indented

      # no comment
    # above topic
    topic: mail
    name: Mail
    # at the end of mail
  # at the end of queues

urns:
  urn:a:b:
    queue: orders
    summary: >-
      folded
      text
    data:
      type: object
      required:
        - id
        - lines
      properties:
        # the number
        id: {type: integer}
        lines:
          type: array
          items: {type: object, properties: {a: {type: string}}}

  urn:a:c:
    queue: mail
    data:
      type: object
    examples:
      - b: 1
        a: 2
        # inside
      -
        # above
        z: 3
# the end
`

func TestFormat(t *testing.T) {
	for name, src := range map[string]string{
		"untidy": untidy, "tidy": tidy, "CRLF": strings.ReplaceAll(tidy, "\n", "\r\n"),
	} {
		got, findings := Format("urns.yaml", []byte(src))
		if findings != nil {
			t.Fatalf("%s: %v", name, findings)
		}
		if diff := cmp.Diff(tidy, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWhatIsNotYAMLIsFound(t *testing.T) {
	got, findings := Format("urns.yaml", []byte("a: [\n"))
	if got != nil || len(findings) != 1 || findings[0].Rule != "yaml-syntax" {
		t.Errorf("%q, %v", got, findings)
	}
}

// A layout that the formatter does not understand is a finding where it begins, with a way out.
func TestALayoutThatIsNotUnderstoodIsFound(t *testing.T) {
	for _, c := range []struct {
		text string
		line int
		hint string
	}{
		{"package: p\nbqgen: 1\ninfo:\n  description: |\n    The last line.", 4, "end the file with a line break"},
		{"package: p\nbqgen: 1\ninfo:\n  ? title\n  : Shop\n", 4, "without ?"},
	} {
		out, findings := Format("urns.yaml", []byte(c.text))
		if out != nil || len(findings) != 1 {
			t.Errorf("%q: %q, %v", c.text, out, findings)
			continue
		}
		f := findings[0]
		if f.Rule != RuleLayout || f.Pos.Line != c.line || !strings.Contains(f.Hint, c.hint) {
			t.Errorf("%q: line %d, %v", c.text, f.Pos.Line, f)
		}
	}
}

// Blank lines at the end of a text that keeps them are a part of the text.
func TestKeptBlankLinesStay(t *testing.T) {
	const src = "bqgen: 1\nurns:\n  u:\n      summary: |+\n        Seen.\n\n\n      # why\n      data: {}\n" +
		"info:\n  description: |+\n    Text.\n\n\n"
	const want = "bqgen: 1\n\ninfo:\n  description: |+\n    Text.\n\n\nurns:\n  u:\n    summary: |+\n      Seen.\n\n\n" +
		"    # why\n    data: {}\n"
	got, findings := Format("urns.yaml", []byte(src))
	if findings != nil {
		t.Fatal(findings)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// catalogs are all that lie in the tree.
func catalogs(t testing.TB) []string {
	var all []string
	for _, glob := range []string{
		"../../examples/*.yaml", "../../gen_test/testdata/*/*.yaml", "../testdata/*/*.yaml", "../testdata/*/*/*.yaml",
		"../../templates/scaffold/*.yaml", "../lint/testdata/*.yaml", "../compat/testdata/*.yaml",
	} {
		found, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if len(all) < 20 {
		t.Fatalf("only %d catalogs", len(all))
	}
	return all
}

// Formatting changes neither the catalog nor its findings, except for places and the order of a type's keys.
func TestFormattingKeepsTheMeaning(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	for _, path := range catalogs(t) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out, findings := Format(path, src)
		switch {
		case out == nil && findings[0].Rule == RuleLayout:
			t.Errorf("%s: %v", path, findings)
			continue
		case out == nil:
			continue // not YAML, by intention
		}
		again, findings := Format(path, out)
		if findings != nil {
			t.Errorf("%s, again: %v", path, findings)
		}
		if diff := cmp.Diff(string(out), string(again)); diff != "" {
			t.Errorf("%s, again (-first +second):\n%s", path, diff)
		}
		before, _ := load.Parse(path, src)
		after, _ := load.Parse(path, out)
		places := cmp.Options{
			cmpopts.IgnoreFields(schema.Catalog{}, "Places"), cmpopts.IgnoreTypes(schema.Pos{}),
			cmpopts.IgnoreFields(schema.Ignore{}, "Line"),
		}
		if diff := cmp.Diff(before, after, places); diff != "" {
			t.Errorf("%s (-before +after):\n%s", path, diff)
		}
	}
}

// Whatever the text: what comes out means the same, is canonical, and has every comment. Format checks that itself, so
// here is what it may not do: panic, or say that its own output is beyond it.
func FuzzFormat(f *testing.F) {
	f.Add([]byte(untidy))
	for _, path := range catalogs(f) {
		if src, err := os.ReadFile(path); err == nil && len(src) < 2_000 {
			f.Add(src)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		out, findings := Format("urns.yaml", src)
		if out == nil {
			if top, _ := source.ParseOutline("urns.yaml", src); top != nil && findings == nil {
				t.Fatal("neither text nor findings")
			}
			return
		}
		again, findings := Format("urns.yaml", out)
		if string(again) != string(out) {
			t.Fatalf("not idempotent: %v\n%q\n%q\n%q", findings, src, out, again)
		}
		before, x := load.Parse("urns.yaml", src)
		after, y := load.Parse("urns.yaml", out)
		if (before == nil) != (after == nil) || len(x) != len(y) {
			t.Fatalf("findings before %v, after %v", x, y)
		}
	})
}

// However deep a catalog is indented, and whatever its line ends, its canonical form is one.
func TestIndentationIsNoDifference(t *testing.T) {
	compared := 0
	for _, path := range catalogs(t) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := Format(path, src)
		// Block scalars have rules of their own, and values with anchors or in brackets keep their indentation.
		fixed := strings.Contains(path, "findings") || strings.Contains(path, "reserved")
		if want == nil || fixed || strings.ContainsAny(string(src), "|>&") {
			continue
		}
		var deep strings.Builder
		for line := range strings.Lines(string(want)) {
			rest := strings.TrimLeft(line, " ")
			deep.WriteString(strings.Repeat(" ", 2*(len(line)-len(rest))) + strings.TrimSuffix(rest, "\n") + "\r\n")
		}
		got, findings := Format(path, []byte(deep.String()))
		if findings != nil {
			t.Errorf("%s: %v", path, findings)
			continue
		}
		compared++
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if compared < 10 {
		t.Errorf("only %d catalogs", compared)
	}
}
