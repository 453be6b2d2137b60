package golang

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// typeOf is how a named type is used. A reference is completed once all types are known.
func (p *planner) typeOf(name string, s *schema.Schema) typ {
	if s.Kind == schema.Ref {
		return &alias{Name: name}
	}
	if s.GoType == nil && s.Kind == schema.Union {
		return p.unionOf(name, s)
	}
	if of := scalarOf(s); s.GoType != nil || isBorrowed(of) {
		return &alias{Name: name, Of: borrowed(s)}
	}
	return named{Name: name, Of: kindOf(s), IsChecked: p.constraints.has(s)}
}

func (p *planner) unionOf(name string, s *schema.Schema) union {
	names := p.names.Schemas[s]
	return union{Name: name, Decode: names.Decode, Rules: goExpr(names.Rules), IsChecked: p.constraints.has(s)}
}

// borrowed is the type of another package that s has.
func borrowed(s *schema.Schema) typ {
	if s.GoType != nil {
		return external{Import: s.GoType.Import, Name: s.GoType.Name}
	}
	return scalarOf(s)
}

// isBorrowed reports whether a type is another package's, or cannot have methods.
func isBorrowed(t builtin) bool { return t >= timeType }

// scalarOf is the type of values other than objects, arrays and unions.
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
	case gonames.IsMap(s):
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

// planNamed declares a type of the catalog and what is inside it.
func (p *planner) planNamed(t *schema.Type, about doc) []decl {
	w := &walker{planner: p}
	name := p.names.Types[t]
	about = paragraphs(about, describe(t.Schema))
	if a, ok := p.types[t].(*alias); ok {
		if t.Schema.Kind != schema.Ref {
			a.Of = w.checked(t.Schema, a.Of)
		}
		w.decls = append(w.decls, &aliasDecl{Name: name, Doc: about, Of: a.Of})
	} else {
		w.declare(name, about, t.Schema)
	}
	return w.decls
}

// A walker declares the types that a schema needs, each before those inside it.
type walker struct {
	*planner
	decls []decl
}

// declare declares s, which is not a reference, as the type called name.
func (w *walker) declare(name string, about doc, s *schema.Schema) {
	switch {
	case s.Kind == schema.Union:
		w.declareUnion(name, about, s)
	case s.Kind == schema.Object && !gonames.IsMap(s):
		w.declareStruct(name, about, s)
	case s.Enum != nil:
		w.declareEnum(name, about, s)
	default:
		d := &definedDecl{Name: name, Doc: about, IsChecked: w.constraints.has(s)}
		w.decls = append(w.decls, d)
		d.Of = w.anonymous(name, s)
		d.IsStandard = canBeNil(d.Of)
	}
}

// anonymous is the type of s when it needs no declaration. path says where s is, in comments.
func (w *walker) anonymous(path string, s *schema.Schema) typ {
	switch {
	case s.Kind == schema.Ref:
		return w.types[s.Target]
	case s.GoType != nil:
		return borrowed(s)
	case s.Kind == schema.Array:
		return w.checked(s, slice{Elem: w.use("an element of "+path, s.Items), IsUnique: s.UniqueItems})
	case gonames.IsMap(s):
		return w.checked(s, mapping{Elem: w.valuesOf(path, s)})
	}
	return w.checked(s, scalarOf(s))
}

// valuesOf is the type of members that have no field.
func (w *walker) valuesOf(path string, s *schema.Schema) typ {
	if s.AdditionalSchema == nil {
		return jsonType
	}
	return w.use("a value of "+path, s.AdditionalSchema)
}

// use is the type of s where null is valid too if s says so.
func (w *walker) use(path string, s *schema.Schema) typ {
	t := w.useNotNull(path, path, s)
	if mayBeNull(s) {
		return nullable{Elem: t}
	}
	return t
}

// mayBeNull reports whether null is valid and the type of s itself cannot represent it.
func mayBeNull(s *schema.Schema) bool { return s.AllowsNull() && s.Resolve().Kind != schema.Any }

// useNotNull is the type of s. If that needs a declaration, role says in its comment what the type is for.
func (w *walker) useNotNull(path, role string, s *schema.Schema) typ {
	names := w.names.Schemas[s]
	if names == nil || names.Type == "" {
		return w.anonymous(path, s)
	}
	w.declare(names.Type, paragraphs(sentence("%s is %s.", names.Type, role), describe(s)), s)
	if s.Kind == schema.Union {
		return w.unionOf(names.Type, s)
	}
	return named{Name: names.Type, Of: kindOf(s), IsChecked: w.constraints.has(s)}
}

func (w *walker) declareEnum(name string, about doc, s *schema.Schema) {
	names := w.names.Schemas[s]
	d := &enumDecl{
		Name: name, Doc: about, Of: scalarOf(s), Values: names.Values, Table: names.Table,
		ValuesDoc: sentence("%s returns the values of %s in the order of the catalog.", names.Values, name),
		Encode:    "EncodeIntegerEnum", Decode: "DecodeIntegerEnum",
	}
	if d.Of == stringType {
		d.Encode, d.Decode = "EncodeEnum", "DecodeEnum"
	}
	for i, v := range s.Enum {
		value := goExpr(v.Value)
		if d.Of == stringType {
			value = goString(v.Value)
		}
		d.Constants = append(d.Constants, constant{Name: names.Constants[i], Value: value})
	}
	w.decls = append(w.decls, d)
}
