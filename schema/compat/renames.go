package compat

import (
	"slices"

	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
)

// maxAlike is the number of new URNs that a removed one is compared with. Every URN may have the same summary.
const maxAlike = 20

// renames finds the new URNs that replace removed ones.
type renames struct {
	comparer *comparer
	alike    map[likeness][]*schema.URN
	taken    map[*schema.URN]bool
}

// A likeness is what a renamed URN keeps: its topic, and its Go name or its summary.
type likeness struct{ topic, goName, summary string }

func likenesses(u *schema.URN) []likeness {
	var all []likeness
	at := topic.Full(u.Queue.Topic)
	if u.GoName != "" {
		all = append(all, likeness{topic: at, goName: u.GoName})
	}
	if u.Summary != "" {
		all = append(all, likeness{topic: at, summary: u.Summary})
	}
	return all
}

func (c *comparer) newRenames(added []*schema.URN) *renames {
	r := &renames{c, map[likeness][]*schema.URN{}, map[*schema.URN]bool{}}
	for _, u := range added {
		for _, l := range likenesses(u) {
			r.alike[l] = append(r.alike[l], u)
		}
	}
	return r
}

// of returns the first URN that replaces a removed one; nil when there is none.
func (r *renames) of(old *schema.URN) *schema.URN {
	var candidates []*schema.URN
	for _, l := range likenesses(old) {
		left := r.alike[l]
		for len(left) > 0 && r.taken[left[0]] {
			left = left[1:]
		}
		r.alike[l] = left
		candidates = append(candidates, left[:min(len(left), maxAlike)]...)
	}
	slices.SortFunc(candidates, func(a, b *schema.URN) int { return a.Pos.Compare(b.Pos) })
	for _, u := range slices.Compact(candidates) {
		if !r.taken[u] && r.comparer.hasSameStructure(old, u) {
			r.taken[u] = true
			return u
		}
	}
	return nil
}

// hasSameStructure reports whether the payloads of two URNs have the same structure.
func (c *comparer) hasSameStructure(old, new *schema.URN) bool {
	w := c.walker(old, new)
	w.out, w.quiet = newChangeSet(), true
	w.compare(old.Data, new.Data)
	return len(w.out.list) == 0 && !c.exhausted()
}
