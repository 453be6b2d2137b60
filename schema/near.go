package schema

import "strings"

// nearest finds the candidate that name was most likely meant to be, or "" when none is near. Of
// equally near candidates the first wins.
func nearest(name string, candidates []string) string {
	if name == "" || len(name) > 200 {
		return ""
	}
	// The longer the name, the more slips it may have.
	best, limit := "", min(2, (len(name)+2)/4)
	plain := withoutStyle(name)
	for _, c := range candidates {
		if c == name {
			continue
		}
		if len(c) <= 2*len(name) && withoutStyle(c) == plain {
			return c // only case or separators differ
		}
		if d := distance(name, c, limit); d <= limit {
			best, limit = c, d-1
		}
	}
	return best
}

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// withoutStyle takes case and separators out of a name.
func withoutStyle(s string) string { return strings.ToLower(separators.Replace(s)) }

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b,
// in bytes. It gives up beyond limit, which keeps it linear.
func distance(a, b string, limit int) int {
	if limit < 0 || len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	far := limit + 1
	before, last, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = min(j, far)
	}
	for i := 1; i <= len(a); i++ {
		for j := range next {
			next[j] = far
		}
		if i <= limit {
			next[0] = i
		}
		reached := next[0]
		for j := max(1, i-limit); j <= min(len(b), i+limit); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(last[j-1]+cost, last[j]+1, next[j-1]+1, far)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			next[j] = d
			reached = min(reached, d)
		}
		if reached > limit {
			return far
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
