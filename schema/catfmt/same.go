package catfmt

import (
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/schema/internal/source"
)

// difference returns the first part of a text that means something else in another one, or nil. The order of keys
// counts where the formatter keeps it.
func difference(a, b *source.Outline, r role) *source.Outline {
	if b == nil || a.Kind != b.Kind || a.Text != b.Text || a.Plain != b.Plain || a.Anchored != b.Anchored {
		return a
	}
	if len(a.Keys) != len(b.Keys) || len(a.Items) != len(b.Items) {
		return a
	}
	for i := range a.Items {
		if at := difference(a.Items[i], b.Items[i], r.item()); at != nil {
			return at
		}
	}
	x, y := pairsOf(a, r), pairsOf(b, r)
	for i := range x {
		if at := difference(x[i][0], y[i][0], asItIs); at != nil {
			return at
		}
		if at := difference(x[i][1], y[i][1], r.below(x[i][0].Text)); at != nil {
			return at
		}
	}
	return nil
}

func pairsOf(o *source.Outline, r role) [][2]*source.Outline {
	var pairs [][2]*source.Outline
	for i := range o.Keys {
		pairs = append(pairs, [2]*source.Outline{o.Keys[i], o.Values[i]})
	}
	if orders[r] != nil {
		slices.SortStableFunc(pairs, func(a, b [2]*source.Outline) int { return strings.Compare(a[0].Text, b[0].Text) })
	}
	return pairs
}

// lostComment returns the number of the first line with a number sign that another text lacks, or 0.
func lostComment(before, after string) int {
	left := map[string]int{}
	for _, line := range strings.Split(after, "\n") {
		if comment := commentOf(line); comment != "" {
			left[comment]++
		}
	}
	for i, line := range strings.Split(before, "\n") {
		if comment := commentOf(line); comment != "" {
			if left[comment]--; left[comment] < 0 {
				return i + 1
			}
		}
	}
	return 0
}

// commentOf returns a line from its first number sign on.
func commentOf(line string) string {
	if i := strings.IndexByte(line, '#'); i >= 0 {
		return strings.TrimSpace(line[i:])
	}
	return ""
}
