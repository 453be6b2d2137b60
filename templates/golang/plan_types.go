package golang

import (
	"github.com/babelqueue/bqgen/schema"
)

// sharedType is how a shared type is used. An alias of another shared type is completed once all have their names.
func sharedType(name string, s *schema.Schema) typ {
	if s.Kind == schema.Ref {
		return &alias{Name: name}
	}
	if t := formatted(s); t != stringType {
		return &alias{Name: name, Of: t}
	}
	return named{Name: name, Of: kindOf(s)}
}

// formatted is the type of a string with a format that has a Go type of its own, and stringType for all else.
func formatted(s *schema.Schema) builtin {
	switch {
	case s.Kind != schema.String || s.Enum != nil:
	case s.Format == schema.DateTime:
		return timeType
	case s.Format == schema.UUID:
		return uuidType
	}
	return stringType
}

func kindOf(s *schema.Schema) kind {
	switch s.Kind {
	case schema.Array:
		return sliceKind
	case schema.String:
		return textKind
	case schema.Integer:
		return int64Kind
	case schema.Number:
		return float64Kind
	case schema.Boolean:
		return boolKind
	}
	return structKind
}

// planShared declares a shared type and what is inside of it.
func (p *planner) planShared(t *schema.Type) []decl {
	w := &walker{planner: p, owner: p.owners[t]}
	name, s := typeName(t.Name), t.Schema
	about := paragraphs(sentence("%s is the type %s of the catalog.", name, quoted(t.Name)), text(s.Description))
	switch used := p.types[t].(type) {
	case *alias:
		w.decls = []decl{&aliasDecl{Name: name, Doc: about, Of: used.Of}}
	default:
		w.declare(name, about, s)
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
	case s.Kind == schema.Object:
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
	switch s.Kind {
	case schema.Ref:
		return w.types[s.Target]
	case schema.Array:
		return slice{Elem: w.use(name+"Item", "an element of "+what, s.Items)}
	case schema.Integer:
		return int64Type
	case schema.Number:
		return float64Type
	case schema.Boolean:
		return boolType
	}
	return formatted(s)
}

// use is the type of s, declared as name when it needs a declaration.
func (w *walker) use(name, what string, s *schema.Schema) typ {
	if s.Kind != schema.Object && s.Enum == nil {
		return w.underlying(name, what, s)
	}
	name = w.names.claimNear(w.owner, s.Pos, name)
	w.declare(name, paragraphs(sentence("%s is %s.", name, what), text(s.Description)), s)
	return named{Name: name, Of: kindOf(s)}
}

// declareStruct declares name, which is taken already, as the object s.
func (w *walker) declareStruct(name string, about doc, s *schema.Schema) {
	d := &structDecl{Name: name, Doc: about}
	w.decls = append(w.decls, d)
	wished := make([]string, len(s.Properties))
	for i, p := range s.Properties {
		wished[i] = exported(p.Name)
	}
	names := settle(wished, methodNames, "Field")
	for i, p := range s.Properties {
		f := field{Name: names[i], Member: p.Name}
		f.Type = w.use(join([]string{name, names[i]}), "the member "+quoted(p.Name)+" of "+name, p.Schema)
		f.Presence = presenceOf(p.Required, f.Type)
		f.Tag = jsonTag(p.Name, f.Presence)
		if _, declared := f.Type.(named); !declared || p.Schema.Kind == schema.Ref {
			f.Doc = text(p.Schema.Description)
		}
		if f.Tag == "" {
			f.Doc = paragraphs(sentence("%s is the member %s.", f.Name, quoted(p.Name)), f.Doc)
		}
		w.fields[p] = f
		d.Fields = append(d.Fields, f)
	}
}

// methodNames are the methods that structs have or will have; a field cannot share their names.
var methodNames = map[string]bool{
	"EncodeJSON": true, "DecodeJSON": true, "MarshalJSON": true, "UnmarshalJSON": true, "Validate": true,
}

func presenceOf(isRequired bool, t typ) presence {
	if isRequired {
		return required
	}
	switch t := unalias(t).(type) {
	case slice:
		return nilSlice
	case named:
		if t.Of == sliceKind {
			return nilSlice
		}
	case builtin:
		if t == timeType {
			return zeroTime
		}
	}
	return pointer
}

func (w *walker) declareEnum(name string, about doc, s *schema.Schema) {
	d := &enumDecl{Name: name, Doc: about}
	w.decls = append(w.decls, d)
	w.enums = append(w.enums, pendingEnum{d, w.owner, s})
}

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
