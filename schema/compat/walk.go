package compat

import (
	"maps"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// directions are those in which a pair of schemas is compared.
type directions uint8

const (
	toConsumers directions = 1 << iota // is what the new schema's producer writes accepted by the old schema?
	toProducers                        // is what the old schema's producer writes accepted by the new one?
	bothWays    = toConsumers | toProducers
)

// A frame is a step from a value to a part of it, in both catalogs.
type frame struct {
	old, new *schema.Schema // resolved; the object or array around the part
	member   string         // of an object; empty for the items of an array
}

// A pair is two schemas that were compared, or are being compared.
type pair struct {
	old, new *schema.Schema
	dirs     directions
}

// A walker compares the payloads of one URN.
type walker struct {
	*comparer
	urn     string
	rootOld *schema.Schema
	rootNew *schema.Schema
	frames  []frame
	met     map[pair]bool
	dirs    directions
	quiet   bool // looks for breaks only: the change is one finding further up
	out     *changeSet

	owner string // for messages: the URN or the type that path starts at
	path  []string
	at    schema.Pos // of what is being compared, in the new catalog
}

// step compares a part of what is being compared.
func (w *walker) step(f *frame, name string, at schema.Pos, old, new *schema.Schema) {
	owner, path, before := w.owner, w.path, w.at
	if f != nil {
		w.frames = append(w.frames, *f)
	}
	w.path = append(path[:len(path):len(path)], name)
	w.at = at
	w.compare(old, new)
	if f != nil {
		w.frames = w.frames[:len(w.frames)-1]
	}
	w.owner, w.path, w.at = owner, path, before
}

// label names what is being compared.
func (w *walker) label() string {
	if len(w.path) == 0 {
		return w.owner
	}
	return w.owner + " at " + text.Quote(pathText(w.path))
}

// pathText joins the parts of a path, as far as a message repeats them: parts may be as long as a catalog.
func pathText(path []string) string {
	var b strings.Builder
	for i, part := range path {
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteString(text.Short(part))
		if b.Len() > 1000 {
			break
		}
	}
	return b.String()
}

// keyword returns the place of the first of the keywords that the new schema has, else that of what is being compared.
func (w *walker) keyword(n *schema.Schema, names ...string) schema.Pos {
	for _, name := range names {
		if pos, ok := w.newCatalog.FindKeyIn(n.Pos, name); ok {
			return pos
		}
	}
	return w.at
}

// A finding is a change in the making.
type finding struct {
	rule      string
	pos       schema.Pos
	text      string
	gone      string // the thing that was removed; empty for other changes
	source    bool
	consumers *claim
	producers *claim
}

// A claim is that one side writes what the other refuses. Candidates are values that might show it. The probe picks
// those that show this change, not another one in the same place.
type claim struct {
	candidates func() []any
	probe      probe
}

func (w *walker) report(f finding) {
	change := &Change{
		Diagnostic: schema.Diagnostic{
			Pos: f.pos, Rule: f.rule, Message: f.text + " in " + w.label(), Hint: ruleByID[f.rule].Instead,
		},
		Source: f.source, URNs: []string{w.urn}, Gone: f.gone,
	}
	known := w.out.index[change.Diagnostic]
	w.steps++
	if !w.quiet {
		w.work--
	}
	if known != nil && known.shown() {
		known.addURN(w.urn) // a shared type's change is shown once
		return
	}
	if f.consumers != nil && w.dirs&toConsumers != 0 {
		change.Consumers = w.show(f.consumers, toConsumers)
	}
	if f.producers != nil && w.dirs&toProducers != 0 {
		change.Producers = w.show(f.producers, toProducers)
	}
	if w.quiet && change.Consumers == nil && change.Producers == nil {
		return
	}
	if change.Safe() {
		change.Hint = ""
	}
	w.out.add(change)
}

func (w *walker) goName(old, new any, pos schema.Pos, what string) {
	if !w.quiet {
		w.comparer.goName(old, new, pos, what)
	}
}

// maxDocument is the number of values up to which a document is shown.
const maxDocument = 50_000

// maxFrames is how deep a part of a payload may be for a document to show it: what is deeper cannot be sent (ACC-12).
const maxFrames = 998

// show looks for a document that shows a break. The break has none when the budget of the comparison is used up.
func (w *walker) show(c *claim, dir directions) *Break {
	from, to := w.rootNew, w.rootOld
	if dir == toProducers {
		from, to = w.rootOld, w.rootNew
	}
	if len(w.frames) > maxFrames || !w.canShow() {
		return &Break{}
	}
	for _, v := range shortestFirst(c.candidates()) {
		if w.budget.IsSpent() {
			break
		}
		if !c.probe(v) {
			continue
		}
		document, ok := w.wrap(v, dir)
		if ok && size(document, maxDocument) < maxDocument &&
			w.judge.verdict(from, document) == accepted && w.judge.verdict(to, document) == refused {
			return w.document([]byte(encode(document)))
		}
	}
	return &Break{}
}

// shortestFirst sorts values by their length: short ones are the easiest to read.
func shortestFirst(values []any) []any {
	lengths := make(map[int][]any, len(values))
	for _, v := range values {
		n := len(encode(v))
		lengths[n] = append(lengths[n], v)
	}
	var sorted []any
	for _, n := range slices.Sorted(maps.Keys(lengths)) {
		sorted = append(sorted, lengths[n]...)
	}
	return sorted
}

// wrap builds the payload around a part of it.
func (w *walker) wrap(v any, dir directions) (any, bool) {
	for i := len(w.frames) - 1; i >= 0; i-- {
		f := w.frames[i]
		from := f.new
		if dir == toProducers {
			from = f.old
		}
		ok := false
		switch from.Kind {
		case schema.Array:
			v, ok = w.sampler.array(from, max(1, valueOf(from.MinItems, 0)), []any{v}, 0)
		case schema.Object:
			v, ok = w.sampler.object(from, map[string]any{f.member: v}, 0)
		}
		if !ok {
			return nil, false
		}
	}
	return v, true
}

// claim claims that from writes what other refuses.
func (w *walker) claim(from, other *schema.Schema, probe probe) *claim {
	return &claim{func() []any { return w.sampler.values(from, other, 0) }, probe}
}

// breaks compares two schemas in one direction without reporting. It returns nil when nothing breaks.
func (w *walker) breaks(dir directions, f frame, old, new *schema.Schema) *Break {
	if dir&w.dirs == 0 {
		return nil
	}
	if w.exhausted() {
		return &Break{} // nobody knows
	}
	sub := *w
	sub.out = newChangeSet()
	if !w.quiet { // what was met in a quiet search will be found by it
		sub.met = map[pair]bool{}
	}
	sub.dirs, sub.quiet = dir, true
	sub.frames = append(w.frames[:len(w.frames):len(w.frames)], f)
	sub.compare(old, new)
	if w.exhausted() {
		return &Break{}
	}
	var found *Break
	for _, c := range sub.out.list {
		if dir == toConsumers {
			found = keep(found, c.Consumers)
		} else {
			found = keep(found, c.Producers)
		}
	}
	return found
}
