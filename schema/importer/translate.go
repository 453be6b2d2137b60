package importer

import (
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/near"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

const (
	// maxShapes is the number of schemas of one import.
	maxShapes = 300_000
	// maxRepeated is the number of those, and the weight of values in them, that come from a schema of the source that
	// others come from, too: a message of two channels has its payload twice.
	maxRepeated = 30_000
	// maxLevels is how deeply schemas may be nested, which leaves room for the catalog around them.
	maxLevels = 100
	// minSlip is the length of the shortest unknown keyword that is taken for a slip, in bytes.
	minSlip = 5
	// maxName is the length of the longest name of a member, in bytes. A catalog has no key of more than 1,024.
	maxName = 900
)

// A translator turns schemas of the source into shapes.
type translator struct {
	*catalog
	library *library
	known   map[typeKey]*typ
	queue   []pending // types whose shape is not made yet
	shapes  int
	met     map[*source.Node]bool // schemas of the source
	again   int                   // the weight of those that were met again
	keeps   bool                  // members that are not declared
}

type pending struct {
	typ   *typ
	place place
	target
}

// A typeKey is a schema that is referred to. Where it has to stay as it is, it is another type than where it may be
// tidied; if both turn out alike, they become one.
type typeKey struct {
	node  *source.Node
	place place
}

// A place is where a schema stands, as far as it matters to what may be said in another way.
type place struct {
	// isExact is set where values that become invalid for the schema could make values valid for those around it, or
	// invalid: inside not, or next to others of which one has to be valid.
	isExact bool
	isSeen  bool   // unevaluatedProperties or unevaluatedItems looks at what is declared here
	known   string // the type of all values that get here; empty for any
}

// inside returns the place of the schemas in a keyword of a schema at p.
func (p place) inside(keyword string, s *shape) place {
	same := place{isExact: true, isSeen: p.isSeen || isCounted(s), known: p.known} // for the same value
	if types := s.get("type"); types != nil && types.node.Kind == source.Scalar {
		same.known = types.node.Text
	}
	switch keyword {
	case "allOf", "$ref":
		same.isExact = p.isExact
		return same
	case "anyOf", "oneOf", "not", "if", "then", "else":
		return same
	case "dependentSchemas":
		same.known = "object"
		return same
	case "propertyNames":
		return place{isExact: true, known: "string"}
	case "contains", "patternProperties", "prefixItems", "unevaluatedItems", "unevaluatedProperties":
		return place{isExact: true}
	}
	return place{isExact: p.isExact}
}

// isCounted reports whether a schema looks at what is declared next to its keywords, and inside them.
func isCounted(s *shape) bool {
	return s.src.Get("unevaluatedProperties") != nil || s.src.Get("unevaluatedItems") != nil
}

func newTranslator(l *library, c *catalog, keeps bool) *translator {
	return &translator{catalog: c, library: l, known: map[typeKey]*typ{}, met: map[*source.Node]bool{}, keeps: keeps}
}

// payload translates the payload of a message, and all types that it refers to. It returns nil after a finding when the
// payload is no object.
func (t *translator) payload(at target) *shape {
	s := t.schema(at, place{known: "object"}, 1)
	s.isData = true
	if types := s.get("type"); types != nil && types.node.Kind == source.Sequence {
		if slices.ContainsFunc(types.node.Items, func(n *source.Node) bool { return n.Text == "object" }) {
			types.node = textNode(types.pos, "object") // a payload is an object, whatever else the schema allows
		}
	}
	for len(t.queue) > 0 {
		next := t.queue[0]
		t.queue = t.queue[1:]
		next.typ.shape = t.schema(next.target, next.place, 1)
	}
	if types := kindOf(s); types != "" && types != "object" {
		t.lose(s, s.src.Pos, "payload", "a payload is an object, this is of type "+types, nil)
		return nil
	}
	if len(s.members) == 0 || !slices.ContainsFunc(s.members, func(m member) bool { return !annotations[m.key] }) {
		s.set(member{key: "type", pos: s.src.Pos, node: textNode(s.src.Pos, "object")})
	}
	return s
}

// kindOf returns the one type of a schema, through references; "" when it does not say so.
func kindOf(s *shape) string {
	for range 100 { // references may form a circle
		if types := s.get("type"); types != nil && types.node.Kind == source.Scalar {
			return types.node.Text
		}
		ref := s.get("$ref")
		if ref == nil || ref.ref == nil || ref.ref.shape == nil {
			return ""
		}
		s = ref.ref.shape
	}
	return ""
}

// fault reports something that the source does not mean as it stands.
func (t *translator) fault(at schema.Pos, hint, format string, args ...any) {
	t.faults.Warn(at, ruleFault, hint, format, args...)
}

// schema translates a schema and everything inside it.
func (t *translator) schema(at target, where place, depth int) *shape {
	n := at.node
	s := &shape{src: n}
	sc := t.library.scopeOf(n, at.scope)
	t.shapes++
	if t.met[n] && t.again <= maxRepeated {
		t.again += 1 + weightOfValues(n)
	}
	t.met[n] = true
	switch {
	case depth > maxLevels:
		t.widen(s, n.Pos, "depth", "schemas are nested too deeply")
	case t.shapes > maxShapes || t.again > maxRepeated:
		t.widen(s, n.Pos, "size", "there are too many schemas")
	case n.IsText("true"):
	case n.IsText("false") && falseSchema == carried:
		s.never = true
	case n.IsText("false"):
		t.widen(s, n.Pos, "false", "a catalog has no schema that accepts nothing")
	case n.Kind != source.Mapping:
		if n.Kind != source.Bad {
			t.fault(n.Pos, "write {} for any value", "a schema must be an object, this is %s", n.Describe())
		}
		t.widen(s, n.Pos, "schema", "it is no schema")
	default:
		pairs := modern(n, sc.dialect)
		slices.SortStableFunc(pairs, func(a, b source.Pair) int { return typeFirst(a) - typeFirst(b) })
		for _, p := range pairs {
			t.keyword(s, p, sc, where, depth)
		}
		t.tidy(s, where)
	}
	return s
}

// weightOfValues is what the keywords of a schema weigh that contain no schemas.
func weightOfValues(n *source.Node) (weight int) {
	for _, p := range n.Pairs {
		switch row, known := rowOf(p.Key.Text); {
		case !known || row.form == schemaForm || row.form == schemasForm || row.form == mapForm:
		default:
			weight += p.Value.Weight()
		}
	}
	return weight
}

// typeFirst sorts the type, which others look at, before the other keywords.
func typeFirst(p source.Pair) int {
	if p.Key.Text == "type" {
		return 0
	}
	return 1
}

// keyword translates one keyword.
func (t *translator) keyword(s *shape, p source.Pair, sc *scope, where place, depth int) {
	key, v := p.Key.Text, p.Value
	row, known := rowOf(key)
	switch {
	case !known:
		t.unknown(p.Key)
	case row.use == silent:
	case !row.form.fits(v):
		t.fault(p.Key.Pos, row.form.hint(), "%s is %s; it is left out", key, v.Describe())
	case row.use == lost:
		t.loseKeyword(s, p.Key.Pos, key, "a catalog has no "+key, v)
	case needsLost(s, row) && !acceptsAll(v):
		t.lose(s, p.Key.Pos, key, "it means something else without "+strings.Join(row.needs, " and "), v)
	case key == "$ref":
		t.reference(s, p, sc, where)
	default:
		t.carry(s, member{key: key, pos: p.Key.Pos}, v, row.form, sc, where.inside(key, s), depth)
	}
}

// loseKeyword loses a keyword that the shape does not have yet, and those that mean something else without it.
func (t *translator) loseKeyword(s *shape, at schema.Pos, key, reason string, was *source.Node) {
	t.lose(s, at, key, reason, was)
	s.gone = append(s.gone, key)
	t.dropNeeding(s, key)
}

// needsLost reports whether a keyword that this one needs is lost.
func needsLost(s *shape, row keyword) bool {
	return slices.ContainsFunc(row.needs, func(key string) bool { return slices.Contains(s.gone, key) })
}

// unknown reports a keyword that looks like a slip. Any other is an annotation of its author.
func (t *translator) unknown(key *source.Node) {
	if len(key.Text) < minSlip {
		return
	}
	if nearest := near.Nearest(key.Text, slipTargets); nearest != "" {
		t.fault(key.Pos, "did you mean "+nearest+"?", "unknown keyword %s means nothing; it is left out",
			text.Quote(key.Text))
	}
}

// slipTargets are the keywords that an unknown one may have been meant to be.
var slipTargets = func() (names []string) {
	for name := range keywords {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}()

// carry adds a keyword with its value.
func (t *translator) carry(s *shape, m member, v *source.Node, f form, sc *scope, where place, depth int) {
	inner := func(n *source.Node) *shape { return t.schema(target{n, sc}, where, depth+1) }
	switch f {
	case schemaForm:
		if m.key == "additionalProperties" && isBool(v) {
			m.node = v
		} else {
			m.inner = inner(v)
		}
	case schemasForm:
		for _, item := range v.Items {
			m.list = append(m.list, inner(item))
		}
	case mapForm:
		for _, p := range v.Pairs {
			if len(p.Key.Text) > maxName {
				t.lose(s, p.Key.Pos, m.key, "a name is too long", nil)
				s.comments = append(s.comments, harmless("not carried over: a property with a very long name"))
				return
			}
			m.named = append(m.named, named{p.Key.Text, inner(p.Value)})
		}
	case countForm:
		whole, _ := source.WholeText(v.Text) // 5.0 is 5
		m.node = &source.Node{Pos: v.Pos, Kind: source.Scalar, Plain: true, Text: whole}
	default:
		if hasLongName(v) {
			t.leaveOut(s, m, v)
			return
		}
		m.node = v
	}
	s.set(m)
}

// leaveOut reports a keyword whose value has a name that is too long.
func (t *translator) leaveOut(s *shape, m member, v *source.Node) {
	if claims[m.key] {
		t.fault(m.pos, "shorten it", "%s is left out: a name in it is too long", m.key)
		return
	}
	t.loseKeyword(s, m.pos, m.key, "a name in it is too long", v)
}

// hasLongName reports whether an object in n has a member whose name is too long for a catalog.
func hasLongName(n *source.Node) bool {
	return slices.ContainsFunc(n.Pairs, func(p source.Pair) bool {
		return len(p.Key.Text) > maxName || hasLongName(p.Value)
	}) || slices.ContainsFunc(n.Items, hasLongName)
}

// reference translates a $ref to a type of the catalog.
func (t *translator) reference(s *shape, p source.Pair, sc *scope, where place) {
	to, err := t.library.resolve(p.Value.Text, sc)
	if err != nil {
		t.lose(s, p.Key.Pos, "$ref", text.Quote(p.Value.Text)+" cannot be followed: "+err.Error(), p.Value)
		return
	}
	where = where.inside("$ref", s)
	where.known = "" // the type is also for others
	key := typeKey{to.node, where}
	known := t.known[key]
	if known == nil {
		known = &typ{pos: to.node.Pos, wish: nameOfTarget(p.Value.Text, to)}
		t.known[key] = known
		t.catalog.types = append(t.catalog.types, known)
		t.queue = append(t.queue, pending{known, where, to})
	}
	s.set(member{key: "$ref", pos: p.Key.Pos, ref: known})
}

// tidy rewrites what a catalog says in another way, without changing which values are valid. Only a type that is added
// makes the values of other types invalid; see [translator.tidyType].
func (t *translator) tidy(s *shape, where place) {
	t.tidyType(s, where)
	t.tidyForeign(s)
	t.tidyNull(s)
	declares := !where.isSeen && !isCounted(s)
	if declares {
		t.tidyRequired(s)
	}
	if t.keeps && declares && !where.isExact {
		keepUndeclared(s)
	}
	if ref := s.get("$ref"); ref != nil {
		t.tidyRef(s, *ref)
		return
	}
	if declares {
		describeItems(s)
	}
	for _, key := range []string{"allOf", "oneOf", "enum"} {
		if m := s.get(key); m != nil && len(m.list) == 0 && (m.node == nil || len(m.node.Items) == 0) {
			t.fault(m.pos, "leave it out", "%s is empty; it is left out", key)
			s.remove(key)
		}
	}
}

// tidyType takes a list of one type for the type, and integer and number for number. Without a type, keywords imply one
// if they are all for the same. Inside rules, that is left to the values that get there.
func (t *translator) tidyType(s *shape, where place) {
	types := s.get("type")
	if types == nil {
		if implied := impliedType(s); implied != "" && (!where.isExact || implied == where.known) {
			s.set(member{key: "type", pos: s.src.Pos, node: textNode(s.src.Pos, implied)})
		}
		return
	}
	if types.node.Kind != source.Sequence {
		return
	}
	var kept []*source.Node
	has := func(name string) bool {
		return slices.ContainsFunc(kept, func(n *source.Node) bool { return n.Text == name })
	}
	for _, n := range types.node.Items {
		if !has(n.Text) {
			kept = append(kept, n)
		}
	}
	if has("number") {
		kept = slices.DeleteFunc(kept, func(n *source.Node) bool { return n.Text == "integer" })
	}
	list := *types.node
	if list.Items = kept; len(kept) == 1 {
		list = *kept[0]
	}
	types.node = &list
}

// impliedType returns the type that all limits of a schema without one are for.
func impliedType(s *shape) string {
	var all draft.TypeSet
	for _, m := range s.members {
		types, known := draft.TypesOf(m.key)
		switch {
		case m.key == "enum", m.key == "const", m.key == "format":
			return ""
		case !known, types == 0:
		case all == 0:
			all = types
		default:
			all &= types
		}
	}
	for name, types := range map[string]draft.TypeSet{
		"object": draft.ObjectType, "array": draft.ArrayType, "string": draft.StringType, "number": draft.NumberType,
	} {
		if all == types {
			return name
		}
	}
	return ""
}

// tidyForeign removes keywords that mean nothing for the one type of a schema.
func (t *translator) tidyForeign(s *shape) {
	types := s.get("type")
	if types == nil || types.node.Kind != source.Scalar {
		return
	}
	own := map[string]draft.TypeSet{
		"object": draft.ObjectType, "array": draft.ArrayType, "string": draft.StringType, "integer": draft.IntegerType,
		"number": draft.NumberType, "boolean": draft.BooleanType, "null": draft.NullType,
	}[types.node.Text]
	for _, m := range slices.Clone(s.members) {
		of, _ := draft.TypesOf(m.key)
		isText := own&(draft.StringType|draft.NumberType) != 0
		if of == 0 || of&own != 0 || m.key == "enum" || m.key == "const" || m.key == "format" && isText {
			continue
		}
		t.fault(m.pos, "", "%s means nothing for type %s; it is left out", m.key, types.node.Text)
		s.remove(m.key)
	}
}

// tidyNull makes a type and an enum agree about null: a value has to satisfy both.
func (t *translator) tidyNull(s *shape) {
	types, enum := s.get("type"), s.get("enum")
	if enum == nil {
		return
	}
	if enum.node = t.distinct(enum.node); types == nil {
		return
	}
	isNull := func(n *source.Node) bool { return n.IsText("null") }
	isNullType := func(n *source.Node) bool { return n.Text == "null" }
	nullable := types.node.Kind == source.Sequence && slices.ContainsFunc(types.node.Items, isNullType)
	list := *enum.node
	switch hasNull := slices.ContainsFunc(list.Items, isNull); {
	case nullable && !hasNull:
		reduced := *types.node
		reduced.Items = slices.DeleteFunc(slices.Clone(reduced.Items), isNullType)
		if len(reduced.Items) == 1 {
			reduced = *reduced.Items[0]
		}
		types.node = &reduced
	case !nullable && hasNull:
		list.Items = slices.DeleteFunc(slices.Clone(list.Items), isNull)
	}
	enum.node = &list
}

// distinct returns a list of scalars with each value once.
func (t *translator) distinct(list *source.Node) *source.Node {
	seen := map[string]bool{}
	kept := *list
	kept.Items = nil
	for _, n := range list.Items {
		compact, _ := n.JSON(func(*source.Node) {})
		if seen[string(compact)] {
			t.fault(n.Pos, "keep one of the two", "enum has %s twice", text.Short(string(compact)))
			continue
		}
		seen[string(compact)] = true
		kept.Items = append(kept.Items, n)
	}
	return &kept
}

// tidyRequired declares the properties that are required and not declared.
func (t *translator) tidyRequired(s *shape) {
	required := s.get("required")
	if required == nil {
		return
	}
	required.node = t.distinct(required.node)
	if len(required.node.Items) == 0 {
		s.remove("required")
		return
	}
	properties := s.get("properties")
	if properties == nil {
		s.set(member{key: "properties", pos: required.pos})
		properties = s.get("properties")
	}
	declared := map[string]bool{}
	for _, p := range properties.named {
		declared[p.name] = true
	}
	further := s.get("additionalProperties")
	if further != nil && (isFalse(further.node) || further.inner != nil) {
		return // the loader has a finding
	}
	for _, n := range s.get("required").node.Items {
		if !declared[n.Text] && len(n.Text) <= maxName {
			declared[n.Text] = true
			properties.named = append(properties.named, named{n.Text, &shape{src: &source.Node{
				Pos: n.Pos, Kind: source.Mapping}}})
		}
	}
}

// keepUndeclared says what JSON Schema takes for granted, and what bqgen takes as the wish to keep members.
func keepUndeclared(s *shape) {
	p := s.get("properties")
	if p == nil || s.get("additionalProperties") != nil || kindOf(s) != "object" {
		return
	}
	yes := &source.Node{Pos: p.pos, Kind: source.Scalar, Plain: true, Text: "true"}
	s.set(member{key: "additionalProperties", pos: p.pos, node: yes})
}

func isFalse(n *source.Node) bool { return n != nil && n.IsText("false") }

// tidyRef moves what stands next to a $ref, apart from annotations, into an allOf with it.
func (t *translator) tidyRef(s *shape, ref member) {
	var own, beside []member
	for _, m := range s.members {
		switch {
		case m.key == "$ref":
		case annotations[m.key], claims[m.key]:
			own = append(own, m)
		default:
			beside = append(beside, m)
		}
	}
	if len(beside) == 0 {
		s.members = append([]member{ref}, own...)
		return
	}
	first := &shape{src: s.src, members: []member{ref}}
	second := &shape{src: s.src, members: beside}
	s.members = append(own, member{key: "allOf", pos: ref.pos, list: []*shape{first, second}})
}
