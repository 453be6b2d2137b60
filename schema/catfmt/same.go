package catfmt

import (
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/schema/internal/source"
)

// sameMeaning reports whether two texts mean the same. The order of keys counts where the formatter keeps it.
func sameMeaning(a, b *source.Outline, r role) bool {
	if a.Kind != b.Kind || a.Text != b.Text || a.Plain != b.Plain || a.Anchored != b.Anchored {
		return false
	}
	if len(a.Keys) != len(b.Keys) || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Items {
		if !sameMeaning(a.Items[i], b.Items[i], r.item()) {
			return false
		}
	}
	x, y := pairsOf(a, r), pairsOf(b, r)
	for i := range x {
		if !sameMeaning(x[i][0], y[i][0], asItIs) || !sameMeaning(x[i][1], y[i][1], r.below(x[i][0].Text)) {
			return false
		}
	}
	return true
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

// sameComments reports whether no line with a number sign was lost.
func sameComments(before, after []byte) bool {
	return slices.Equal(commented(string(before)), commented(string(after)))
}

func commented(text string) []string {
	var lines []string
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if i := strings.IndexByte(line, '#'); i >= 0 {
			lines = append(lines, strings.TrimSpace(line[i:]))
		}
	}
	slices.Sort(lines)
	return lines
}
