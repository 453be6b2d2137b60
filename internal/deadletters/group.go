package deadletters

import (
	"cmp"
	"regexp"
	"slices"
	"time"
)

// A Group is the letters with one reason whose errors differ in numbers, ids and quoted texts only.
type Group struct {
	Reason  string
	Error   string // of one of them
	Count   int
	Oldest  time.Time
	Newest  time.Time
	pattern string
}

// MaxGroups is how many groups are kept; what does not fit is counted together.
const MaxGroups = 20

// maxPattern bounds what is compared of an error, in bytes: the rest may be a stack.
const maxPattern = 500

// varying are the parts of errors that differ from message to message.
var varying = regexp.MustCompile(
	`"(?:[^"\\]|\\.)*"|'[^']*'|0x[0-9a-fA-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|` +
		`\b[0-9a-fA-F]{16,}\b|[0-9]+`)

// pattern returns an error without its varying parts.
func pattern(text string) string {
	if len(text) > maxPattern {
		text = text[:maxPattern]
	}
	return varying.ReplaceAllString(text, "#")
}

// Groups counts letters by reason and error.
type Groups struct {
	byKey map[[2]string]*Group
}

// Add counts a letter.
func (g *Groups) Add(l *Letter) {
	if g.byKey == nil {
		g.byKey = map[[2]string]*Group{}
	}
	key := [2]string{l.Reason, pattern(l.Error)}
	group := g.byKey[key]
	if group == nil {
		if len(g.byKey) >= maxKeys {
			key[1] = "\x00others"
			group = g.byKey[key]
		}
		if group == nil {
			group = &Group{Reason: l.Reason, Error: l.Error, Oldest: l.Time(), pattern: key[1]}
			g.byKey[key] = group
		}
	}
	group.Count++
	if l.Time().Before(group.Oldest) {
		group.Oldest = l.Time()
	}
	if l.Time().After(group.Newest) {
		group.Newest = l.Time()
	}
}

// maxKeys bounds the memory for errors that have nothing in common.
const maxKeys = 10_000

// Sorted returns the largest groups, and how many letters are in no group that is returned.
func (g *Groups) Sorted() (groups []Group, others int) {
	for _, group := range g.byKey {
		groups = append(groups, *group)
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.pattern, b.pattern))
	})
	if len(groups) > MaxGroups {
		for _, group := range groups[MaxGroups:] {
			others += group.Count
		}
		groups = groups[:MaxGroups]
	}
	return groups, others
}
