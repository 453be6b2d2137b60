package merge

import (
	"slices"

	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// An outlook tells what a draft will be before its schema is made: which types it can have, and what tells the branches
// of a oneOf apart. It looks at each draft once.
type outlook struct {
	types  map[*draft.Draft]draft.TypeSet
	tags   map[*draft.Draft]*tags
	consts map[*draft.Draft]bool
	copies int // of names of tags
}

func newOutlook() *outlook {
	return &outlook{
		types: map[*draft.Draft]draft.TypeSet{}, tags: map[*draft.Draft]*tags{}, consts: map[*draft.Draft]bool{},
	}
}

// possibleTypes returns the types that a draft can have, as far as that can be told without its rules.
func (o *outlook) possibleTypes(d *draft.Draft) draft.TypeSet {
	if types, known := o.types[d]; known {
		return types
	}
	o.types[d] = draft.EveryType // as long as it is not known: it may refer to itself
	types := draft.TypeSet(draft.EveryType)
	limit := func(by draft.TypeSet) {
		if by != 0 {
			types &= by
		}
	}
	limit(d.Types)
	limit(d.ValueTypes())
	if d.Ref != nil && d.Ref.To != nil {
		limit(o.possibleTypes(d.Ref.To.Draft))
	}
	for _, entry := range d.AllOf {
		limit(o.possibleTypes(entry))
	}
	limit(o.typesOfEither(d))
	o.types[d] = types
	return types
}

// typesOfEither returns the types that the oneOf and the anyOf of a draft leave.
func (o *outlook) typesOfEither(d *draft.Draft) draft.TypeSet {
	types := draft.TypeSet(draft.EveryType)
	for _, some := range []draft.TypeSet{o.typesOfAny(d.OneOf), o.typesOfAny(d.AnyOf)} {
		if some != 0 {
			types &= some
		}
	}
	return types
}

// typesOfAny returns the types that one of several drafts can have; none if there are no drafts.
func (o *outlook) typesOfAny(either []*draft.Draft) (types draft.TypeSet) {
	for _, entry := range either {
		if !entry.Never {
			types |= o.possibleTypes(entry)
		}
	}
	return types
}

// isUnion reports whether a const of a property that all branches of a oneOf require can tell them apart.
func (o *outlook) isUnion(u *draft.Draft) bool {
	if u.HasUnknown {
		return true // it is meant to be one
	}
	var common map[string]bool
	var last *tags
	for _, entry := range u.OneOf {
		if entry.IsNull() {
			continue
		}
		if types := o.possibleTypes(entry); types != draft.EveryType && types != draft.ObjectType {
			return false
		}
		t := o.tagsOf(entry)
		switch {
		case t == last: // the branch before refers to the same type
		case common == nil:
			common = t.names()
		default:
			for name := range common {
				if !t.required[name] || !t.consts[name] {
					delete(common, name)
				}
			}
		}
		if len(common) == 0 {
			return false
		}
		last = t
	}
	return len(common) > 0
}

// tags are the properties of a draft that are required, and those that have only one value, a string.
type tags struct{ required, consts map[string]bool }

// names returns the properties that are both.
func (t *tags) names() map[string]bool {
	both := map[string]bool{}
	for name := range t.consts {
		if t.required[name] {
			both[name] = true
		}
	}
	return both
}

// maxTagCopies bounds the names that are copied from type to type. Beyond it, nothing tells branches apart.
const maxTagCopies = 2_000_000

func (o *outlook) tagsOf(d *draft.Draft) *tags {
	if t, known := o.tags[d]; known {
		return t
	}
	t := &tags{required: map[string]bool{}, consts: map[string]bool{}}
	o.tags[d] = t // also while it is not complete: it may refer to itself
	target := d.Ref != nil && d.Ref.To != nil
	if target && d.AllOf == nil && d.Required == nil && d.Members == nil {
		t = o.tagsOf(d.Ref.To.Draft)
		o.tags[d] = t
		return t
	}
	if target {
		o.copy(t, o.tagsOf(d.Ref.To.Draft))
	}
	for _, entry := range d.AllOf {
		o.copy(t, o.tagsOf(entry))
	}
	for _, r := range d.Required {
		t.required[r.Name] = true
	}
	for _, m := range d.Members {
		if o.hasStringConst(m.Schema) {
			t.consts[m.Name] = true
		}
	}
	return t
}

func (o *outlook) copy(to, from *tags) {
	if o.copies += len(from.required) + len(from.consts); o.copies > maxTagCopies {
		return
	}
	for name := range from.required {
		to.required[name] = true
	}
	for name := range from.consts {
		to.consts[name] = true
	}
}

// hasStringConst reports whether a draft, or what it is made of, has a string as its const.
func (o *outlook) hasStringConst(d *draft.Draft) bool {
	if has, known := o.consts[d]; known {
		return has
	}
	o.consts[d] = false // as long as it is not known: it may refer to itself
	value := d.Node.Get("const")
	has := d.Const != nil && d.Node.Kind == source.Mapping && value != nil &&
		draft.LiteralType(value) == draft.StringType
	has = has || d.Ref != nil && d.Ref.To != nil && o.hasStringConst(d.Ref.To.Draft)
	has = has || slices.ContainsFunc(d.AllOf, o.hasStringConst)
	o.consts[d] = has
	return has
}
