// Package near finds the name that a misspelt one was meant to be.
package near

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// A Finder looks for names. All look-ups in long lists share one budget, so that a catalog of misspelt names takes time
// that grows with its size, not with the square of it. When the budget is spent, only names that differ in case and
// separators are still found in long lists.
type Finder struct{ spent int }

const (
	// freeNames is the length of a list that is always searched: it is bounded, so the work is linear.
	freeNames = 64
	// budget is the number of names that are compared in longer lists, all together. A name counts as one more for
	// every costlyName bytes.
	budget     = 1_000_000
	costlyName = 16
)

// A Dictionary is a list of known names.
type Dictionary struct {
	finder   *Finder
	names    []string
	byLength map[int][]int     // positions in names
	unstyled map[string]string // without case and separators -> the first such name
}

// Dictionary makes a dictionary of names.
func (f *Finder) Dictionary(names []string) *Dictionary {
	d := &Dictionary{finder: f, names: names, unstyled: make(map[string]string, len(names))}
	for _, name := range names {
		if p := withoutStyle(name); d.unstyled[p] == "" {
			d.unstyled[p] = name
		}
	}
	if len(names) > freeNames {
		d.byLength = map[int][]int{}
		for i, name := range names {
			d.byLength[len(name)] = append(d.byLength[len(name)], i)
		}
	}
	return d
}

// Nearest returns the name that was most likely meant, or "" when none is near. Of equally near names the first wins.
func (d *Dictionary) Nearest(name string) string {
	if name == "" || len(name) > maxName {
		return ""
	}
	if same := d.unstyled[withoutStyle(name)]; same != "" && same != name {
		return same // only case or separators differ
	}
	limit := min(2, (len(name)+2)/4) // the longer the name, the more slips it may have
	if d.byLength != nil {
		return d.nearestOfMany(name, limit)
	}
	best := ""
	for _, known := range d.names {
		if known == name {
			continue
		}
		if far := distance(name, known, limit); far <= limit {
			best, limit = known, far-1
		}
	}
	return best
}

// nearestOfMany compares the names of about the same length, as long as the budget lasts.
func (d *Dictionary) nearestOfMany(name string, limit int) string {
	best, nearest := -1, limit
	for length := len(name) - limit; length <= len(name)+limit; length++ {
		candidates := d.byLength[length]
		if d.finder.spent += len(candidates) * (1 + length/costlyName); d.finder.spent > budget {
			return ""
		}
		for _, i := range candidates {
			if d.names[i] == name {
				continue
			}
			if far := distance(name, d.names[i], nearest); far < nearest || far == nearest && (best < 0 || i < best) {
				best, nearest = i, far
			}
		}
	}
	if best < 0 {
		return ""
	}
	return d.names[best]
}

// DidYouMean is the hint for a name that is not in the dictionary: the nearest name, or what otherwise helps.
func (d *Dictionary) DidYouMean(name, otherwise string) string {
	if nearest := d.Nearest(name); nearest != "" {
		return "did you mean " + text.Quote(nearest) + "?"
	}
	return otherwise
}

// A Lazy makes a dictionary when it is first needed, which in most catalogs is never.
type Lazy struct {
	finder *Finder
	names  func() []string
	made   *Dictionary
}

// Lazy returns a dictionary of the names that the function returns.
func (f *Finder) Lazy(names func() []string) *Lazy { return &Lazy{finder: f, names: names} }

// DidYouMean is [Dictionary.DidYouMean].
func (l *Lazy) DidYouMean(name, otherwise string) string {
	if l.made == nil {
		l.made = l.finder.Dictionary(l.names())
	}
	return l.made.DidYouMean(name, otherwise)
}

// Names returns the names of things.
func Names[T any](things []T, name func(T) string) []string {
	names := make([]string, len(things))
	for i, thing := range things {
		names[i] = name(thing)
	}
	return names
}

// Nearest is [Dictionary.Nearest] for a short list that is searched once.
func Nearest(name string, names []string) string { return new(Finder).Dictionary(names).Nearest(name) }

// DidYouMean is [Dictionary.DidYouMean] for a short list that is searched once.
func DidYouMean(name string, names []string, otherwise string) string {
	return new(Finder).Dictionary(names).DidYouMean(name, otherwise)
}

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// withoutStyle removes case and separators from a name.
func withoutStyle(s string) string { return strings.ToLower(separators.Replace(s)) }
