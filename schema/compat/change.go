package compat

import (
	"slices"

	"github.com/babelqueue/bqgen/schema"
)

// A Change is a difference between two catalogs. Its place is in the new one; for a removal, it is the place of what
// used to be around the removed thing.
type Change struct {
	schema.Diagnostic

	Consumers *Break // breaks consumers reading new messages; nil when it does not
	Producers *Break // breaks producers of old messages; nil when it does not
	Source    bool   // breaks Go source that uses the generated code
	URNs      []string
	Gone      string // the name of the thing that was removed; empty for other changes

	// Waived is the comment in the catalog that accepts the change; nil when there is none. See [Waive].
	Waived *Waiver
}

// A Break is a message that one side sends and the other refuses.
type Break struct {
	// Document shows it: a payload that is written and refused. It is nil when none could be built, which does not
	// prove that there is none.
	Document []byte
}

// Safe reports whether the change breaks nothing.
func (c *Change) Safe() bool { return c.Consumers == nil && c.Producers == nil && !c.Source }

// shown reports whether each break has a document.
func (c *Change) shown() bool {
	return (c.Consumers == nil || c.Consumers.Document != nil) && (c.Producers == nil || c.Producers.Document != nil)
}

// The directions of a change, as they are printed.
const (
	BreaksConsumers = "breaks consumers reading new messages"
	BreaksProducers = "breaks producers of old messages"
	BreaksBoth      = "breaks consumers reading new messages and producers of old messages"
	BreaksSource    = "breaks Go source only"
	IsSafe          = "safe"
)

// Direction returns whom the change breaks, in words.
func (c *Change) Direction() string {
	switch {
	case c.Consumers != nil && c.Producers != nil:
		return BreaksBoth
	case c.Consumers != nil:
		return BreaksConsumers
	case c.Producers != nil:
		return BreaksProducers
	case c.Source:
		return BreaksSource
	}
	return IsSafe
}

// severity is an error for breaks of messages, which show at run time, and a warning for breaks of Go source, which the
// compiler shows. A waived change is a note.
func (c *Change) severity() schema.Severity {
	switch {
	case c.Waived != nil:
		return schema.Note
	case c.Consumers != nil || c.Producers != nil:
		return schema.Error
	case c.Source:
		return schema.Warning
	}
	return schema.Note
}

// A changeSet collects changes; what several messages share is one change.
type changeSet struct {
	list  []*Change
	index map[schema.Diagnostic]*Change
}

func newChangeSet() *changeSet { return &changeSet{index: map[schema.Diagnostic]*Change{}} }

func (s *changeSet) add(c *Change) {
	c.Severity = 0
	if known := s.index[c.Diagnostic]; known != nil {
		known.Consumers = keep(known.Consumers, c.Consumers)
		known.Producers = keep(known.Producers, c.Producers)
		known.Source = known.Source || c.Source
		for _, urn := range c.URNs {
			known.addURN(urn)
		}
		return
	}
	s.index[c.Diagnostic] = c
	s.list = append(s.list, c)
}

// addURN adds a URN that shares the change, unless it was the last to be added: URNs are compared one after another.
func (c *Change) addURN(urn string) {
	if len(c.URNs) == 0 || c.URNs[len(c.URNs)-1] != urn {
		c.URNs = append(c.URNs, urn)
	}
}

// keep prefers the break that has a document.
func keep(known, other *Break) *Break {
	if known == nil || known.Document == nil && other != nil && other.Document != nil {
		return other
	}
	return known
}

// sorted returns the changes in the order of the new catalog.
func (s *changeSet) sorted(catalog *schema.Catalog) []*Change {
	for _, c := range s.list {
		c.Severity = c.severity()
		c.End = catalog.End(c.Pos)
	}
	slices.SortStableFunc(s.list, func(a, b *Change) int { return a.Compare(b.Diagnostic) })
	return s.list
}
