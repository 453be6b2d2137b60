package golang

import (
	"encoding/json"

	"github.com/babelqueue/bqgen/schema"
)

// typeOf is how a named type is used. An alias is completed once all have their names.
func (p *planner) typeOf(name string, s *schema.Schema) typ {
	if s.Kind == schema.Ref {
		return &alias{Name: name}
	}
	if s.GoType == nil && s.Kind == schema.Union {
		return union{Name: name, IsChecked: p.constraints.in(s)}
	}
	if of := scalarOf(s); s.GoType != nil || isBorrowed(of) {
		return &alias{Name: name, Of: borrowed(s)}
	}
	return named{Name: name, Of: kindOf(s), IsChecked: p.constraints.in(s)}
}

// borrowed is the type of another package that s has.
func borrowed(s *schema.Schema) typ {
	if s.GoType != nil {
		return external{Import: s.GoType.Import, Name: s.GoType.Name}
	}
	return scalarOf(s)
}

// isBorrowed reports whether a type comes with a package, or cannot have methods.
func isBorrowed(t builtin) bool { return t >= timeType }

// scalarOf is the type of values that are no object, array or union.
func scalarOf(s *schema.Schema) builtin {
	switch s.Kind {
	case schema.Any:
		return jsonType
	case schema.Boolean:
		return boolType
	case schema.Integer:
		switch s.Format {
		case schema.Int32:
			return int32Type
		case schema.Uint64:
			return uint64Type
		}
		return int64Type
	case schema.Number:
		if s.Format == schema.Float {
			return float32Type
		}
		return float64Type
	case schema.String:
		if s.Enum == nil && s.Const == nil {
			return textTypes[s.Format] // stringType for those that have no type of their own
		}
	}
	return stringType
}

var textTypes = map[schema.Format]builtin{
	schema.DateTime: timeType, schema.UUID: uuidType, schema.Byte: bytesType, schema.Decimal: decimalType,
	schema.IPv4: ipv4Type, schema.IPv6: ipv6Type,
}

func kindOf(s *schema.Schema) kind {
	switch {
	case isMap(s):
		return mapKind
	case s.Kind == schema.Object:
		return structKind
	case s.Kind == schema.Array:
		return sliceKind
	}
	return map[builtin]kind{
		stringType: textKind, int64Type: int64Kind, int32Type: int32Kind, uint64Type: uint64Kind,
		float64Type: float64Kind, float32Type: float32Kind, boolType: boolKind,
	}[scalarOf(s)]
}

// isMap reports whether s is an object with any names and no others.
func isMap(s *schema.Schema) bool {
	return s.Kind == schema.Object && len(s.Properties) == 0 && s.Additional == schema.AdditionalKept
}

// planNamed declares a named type and what is inside of it.
func (p *planner) planNamed(t *schema.Type, o *owner, about doc) []decl {
	w := &walker{planner: p, owner: o}
	name := p.typeNames[t]
	about = paragraphs(about, describe(t.Schema))
	if a, ok := p.types[t].(*alias); ok {
		if t.Schema.Kind != schema.Ref {
			a.Of = w.checked(name, t.Schema, a.Of)
		}
		w.decls = append(w.decls, &aliasDecl{Name: name, Doc: about, Of: a.Of})
	} else {
		w.declare(name, about, t.Schema)
	}
	return w.decls
}

// A walker declares the types that an owner needs, each before those inside of it.
type walker struct {
	*planner
	owner *owner
	decls []decl
}

// declare declares name, which is taken already, as s, which is no reference.
func (w *walker) declare(name string, about doc, s *schema.Schema) {
	switch {
	case s.Kind == schema.Union:
		w.declareUnion(name, about, s)
	case s.Kind == schema.Object && !isMap(s):
		w.declareStruct(name, about, s)
	case s.Enum != nil:
		w.declareEnum(name, about, s)
	default:
		d := &definedDecl{Name: name, Doc: about}
		w.decls = append(w.decls, d)
		d.Of = w.underlying(name, name, s)
	}
}

// underlying is the type of s when it needs no declaration for itself. name is for what is inside of it, and what says
// to people where it stands.
func (w *walker) underlying(name, what string, s *schema.Schema) typ {
	switch {
	case s.Kind == schema.Ref:
		return w.types[s.Target]
	case s.GoType != nil:
		return borrowed(s)
	case s.Kind == schema.Array:
		elem := w.use(name+"Item", "an element of "+what, s.Items)
		return w.checked(name, s, slice{Elem: elem, IsUnique: s.UniqueItems})
	case isMap(s):
		return w.checked(name, s, w.mapOf(name, what, s))
	}
	return w.checked(name, s, scalarOf(s))
}

// mapOf is the map of members that have no names of their own.
func (w *walker) mapOf(name, what string, s *schema.Schema) typ {
	if s.AdditionalSchema == nil {
		return mapping{Elem: jsonType}
	}
	return mapping{Elem: w.use(name+"Value", "a value of "+what, s.AdditionalSchema)}
}

// use is the type of s where null may stand, too, if s says so. It is declared as name when it needs a declaration.
func (w *walker) use(name, what string, s *schema.Schema) typ {
	t := w.useNotNull(name, what, s)
	if mayBeNull(s) {
		return nullable{Elem: t}
	}
	return t
}

// mayBeNull reports whether null is valid and the type of s itself has no way to say it.
func mayBeNull(s *schema.Schema) bool {
	for {
		switch {
		case s.Kind == schema.Any:
			return false
		case s.Nullable:
			return s.Resolve().Kind != schema.Any
		case s.Kind != schema.Ref:
			return false
		}
		s = s.Target.Schema
	}
}

func (w *walker) useNotNull(name, what string, s *schema.Schema) typ {
	needsName := s.Kind == schema.Union || s.Kind == schema.Object && !isMap(s) || s.Enum != nil
	if !needsName || s.GoType != nil {
		return w.underlying(name, what, s)
	}
	name = w.names.claimNear(w.owner, s.Pos, name)
	w.declare(name, paragraphs(sentence("%s is %s.", name, what), describe(s)), s)
	if s.Kind == schema.Union {
		return union{Name: name, IsChecked: w.constraints.in(s)}
	}
	return named{Name: name, Of: kindOf(s), IsChecked: w.constraints.in(s)}
}

func (w *walker) declareEnum(name string, about doc, s *schema.Schema) {
	d := &enumDecl{Name: name, Doc: about, Of: scalarOf(s)}
	w.decls = append(w.decls, d)
	w.enums = append(w.enums, pendingEnum{d, w.owner, s})
}

// declareUnion declares name, which is taken already, as a sealed interface, and the branches that have no name yet.
func (w *walker) declareUnion(name string, about doc, s *schema.Schema) {
	d := &unionDecl{
		Name: name, Doc: about, Marker: "is" + name, Decode: "decode" + name,
		Discriminator: s.Discriminator,
	}
	w.decls = append(w.decls, d)
	for _, b := range s.Branches {
		of := w.useNotNull(join([]string{name, part(b.Value)}), "what "+name+" is when its "+quoted(s.Discriminator)+" is "+quoted(b.Value), b.Schema)
		structure, ok := bare(of).(named)
		if !ok || structure.Of != structKind {
			w.names.findings = append(w.names.findings, schema.Diagnostic{
				Pos: b.Pos, Rule: ruleUnionBranch,
				Message: "a branch of a union cannot have an x-go-type: the union's Go interface is closed to other packages",
				Hint:    "leave x-go-type out of the branch, or put it on the union itself",
			})
			continue
		}
		d.Branches = append(d.Branches, branch{Value: b.Value, Type: structure.Name})
	}
	if s.KeepUnknown {
		d.Unknown = w.names.claimNear(w.owner, s.Pos, name+"Unknown")
	}
}

// ruleUnionBranch is the rule about branches that Go cannot have.
const ruleUnionBranch = "go-union-branch"

// A pendingEnum is an enum whose constants have no names yet.
type pendingEnum struct {
	decl   *enumDecl
	owner  *owner
	schema *schema.Schema
}

func (p *planner) nameConstants() {
	for _, e := range p.enums {
		wished := make([]string, len(e.schema.Enum))
		for i, v := range e.schema.Enum {
			wished[i] = join([]string{e.decl.Name, part(v.Value)})
		}
		for i, name := range settle(wished, nil, "") {
			v := e.schema.Enum[i]
			name = p.names.claimNear(e.owner, v.Pos, name)
			e.decl.Constants = append(e.decl.Constants, constant{Name: name, Value: v.Value})
		}
		e.decl.Values = p.names.claimNear(e.owner, e.schema.Pos, e.decl.Name+"Values")
	}
}

// literalOf is a value of the catalog that s, a scalar, has.
func literalOf(s *schema.Schema, l *schema.Literal) *literal {
	out := &literal{JSON: string(l.JSON), Of: scalarOf(s)}
	if out.Of == stringType && json.Unmarshal(l.JSON, &out.Text) != nil {
		out.Text = string(l.JSON)
	}
	return out
}
