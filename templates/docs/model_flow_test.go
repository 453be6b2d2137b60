package docs

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

func siteOf(t *testing.T, c *schema.Catalog) *site {
	t.Helper()
	names, findings := gonames.Of(c)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return build(c, names)
}

func TestThePictureShowsEverythingAndNothingOverlaps(t *testing.T) {
	for _, size := range []struct{ services, messages int }{{1, 1}, {3, 5}, {60, 90}, {60, 10}, {5, 200}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			s := siteOf(t, parse(t, large(size.services, size.messages)))
			f := s.Flow
			for i, a := range f.Nodes {
				if a.X < 0 || a.Y < 0 || a.X+a.W > f.Width || a.Y+a.H > f.Height {
					t.Errorf("%s is outside the picture", a.Label().Text)
				}
				for _, b := range f.Nodes[i+1:] {
					if a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
						t.Errorf("%s and %s overlap", a.Label().Text, b.Label().Text)
					}
				}
			}
			for _, e := range f.Edges {
				for _, end := range []flowNode{e.From, e.To} {
					if !slices.Contains(f.Nodes, end) {
						t.Errorf("a line ends at %s, which is not a node", end.Label().Text)
					}
				}
				if len(f.Edges) > maxLines && math.Abs(e.Y1-e.Y2) > 60*nodeStep {
					t.Errorf("a line of %v pixels", math.Abs(e.Y1-e.Y2))
				}
			}
			want := 0
			for _, m := range s.Messages {
				want += len(m.Publishers) + len(m.Receivers())
			}
			if len(f.Edges) != want {
				t.Errorf("%d lines, want %d", len(f.Edges), want)
			}
			for _, e := range f.Edges {
				from, to := e.From, e.To
				if e.X1 != from.X+from.W || e.X2 != to.X || e.X1 >= e.X2 {
					t.Errorf("the line from %s to %s does not go from edge to edge", from.Label().Text, to.Label().Text)
				}
				if (from.Service != nil) == (to.Service != nil) {
					t.Errorf("a line from %s to %s", from.Label().Text, to.Label().Text)
				}
				if from.Service != nil && !slices.Contains(to.Message.Publishers, from.Service) ||
					to.Service != nil && !slices.Contains(from.Message.Receivers(), to.Service) {
					t.Errorf("the line from %s to %s is not in the catalog", from.Label().Text, to.Label().Text)
				}
			}
		})
	}
}

func TestLongNamesAreShortenedInTheMiddle(t *testing.T) {
	for _, tc := range []struct {
		text  string
		limit int
		want  string
	}{
		{"short", 5, "short"}, {"a-very-long-name", 9, "a-ve…name"}, {"日本語日本語", 9, "日本…本語"}, {"", 3, ""},
	} {
		got := shorten(tc.text, tc.limit)
		if width(got) > tc.limit || got != tc.want {
			t.Errorf("%q in %d: %q, want %q", tc.text, tc.limit, got, tc.want)
		}
	}
}
