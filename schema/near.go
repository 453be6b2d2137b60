package schema

import (
	"strings"
	"sync"
)

// A dictionary finds what a misspelt name was meant to be.
type dictionary struct {
	names []string
	plain map[string]string // without case and separators -> the first name of that kind
}

func newDictionary(names []string) *dictionary {
	d := &dictionary{names: names, plain: make(map[string]string, len(names))}
	for _, name := range names {
		if p := withoutStyle(name); d.plain[p] == "" {
			d.plain[p] = name
		}
	}
	return d
}

// nearest gives the name that was most likely meant, or "" when none is near. Of equally near names the first wins.
func (d *dictionary) nearest(name string) string {
	if name == "" || len(name) > 200 {
		return ""
	}
	if same := d.plain[withoutStyle(name)]; same != "" && same != name {
		return same // only case or separators differ
	}
	// The longer the name, the more slips it may have.
	best, limit := "", min(2, (len(name)+2)/4)
	for _, c := range d.names {
		if c == name {
			continue
		}
		if far := distance(name, c, limit); far <= limit {
			best, limit = c, far-1
		}
	}
	return best
}

// didYouMean is the hint for a name that is not in the dictionary.
func (d *dictionary) didYouMean(name, otherwise string) string {
	if near := d.nearest(name); near != "" {
		return "did you mean " + quote(near) + "?"
	}
	return otherwise
}

// lazyDictionary makes a dictionary when it is first asked for.
func lazyDictionary[T any](things []T, name func(T) string) func() *dictionary {
	return sync.OnceValue(func() *dictionary {
		names := make([]string, len(things))
		for i, thing := range things {
			names[i] = name(thing)
		}
		return newDictionary(names)
	})
}

// nearest is for short lists that are asked once.
func nearest(name string, names []string) string { return newDictionary(names).nearest(name) }

func didYouMean(name string, names []string, otherwise string) string {
	return newDictionary(names).didYouMean(name, otherwise)
}

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// withoutStyle takes case and separators out of a name.
func withoutStyle(s string) string { return strings.ToLower(separators.Replace(s)) }

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b,
// in bytes. It gives up beyond limit.
func distance(a, b string, limit int) int {
	if limit < 0 || len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	// What is left starts and ends with a difference, so the table is small or the answer is far.
	if max(len(a), len(b)) <= 1 {
		return max(len(a), len(b))
	}
	before, last, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		nearestSoFar := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(last[j-1]+cost, last[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
			nearestSoFar = min(nearestSoFar, next[j])
		}
		if nearestSoFar > limit {
			return limit + 1
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
