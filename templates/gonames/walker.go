package gonames

import (
	"strconv"

	"github.com/babelqueue/bqgen/schema"
)

// A walker names what the schemas of one owner declare, each type before those inside it.
type walker struct {
	*namer
	owner *owner
}

func (n *namer) walk(o *owner, name func(*walker)) { name(&walker{n, o}) }

// message names what the payload and the $defs of u declare.
func (w *walker) message(u *schema.URN) {
	if u.Data.Kind != schema.Ref {
		w.contents(w.Messages[u].Type, u.Data)
	}
	for _, t := range u.Defs {
		w.typ(w.Types[t], t.Schema)
	}
}

// typ names what is inside a type of the catalog.
func (w *walker) typ(name string, s *schema.Schema) {
	switch {
	case s.Kind == schema.Ref:
	case s.GoType != nil:
		w.pattern(name, s)
	default:
		w.contents(name, s)
	}
}

// contents names what is inside s, which becomes the type called name.
func (w *walker) contents(name string, s *schema.Schema) {
	switch {
	case s.Kind == schema.Union:
		w.union(name, s)
	case s.Kind == schema.Object && !IsMap(s):
		w.object(name, s)
	case s.Enum != nil:
		w.enums = append(w.enums, pendingEnum{name, w.owner, s})
	default:
		w.elements(name, s)
	}
}

func (w *walker) object(name string, s *schema.Schema) {
	w.rules(name, s)
	fields, rest := w.fieldNames(s)
	for i, p := range s.Properties {
		if hasField(p) {
			w.Fields[p] = fields[i]
			w.use(inside(name, fields[i]), p.Schema)
		} else {
			w.Fields[p] = ""
		}
	}
	if s.Additional == schema.AdditionalKept {
		w.schema(s).Rest = rest
		w.values(inside(name, rest), s)
	}
}

// hasField reports whether p needs a field. A required member that can have only one value needs none.
func hasField(p *schema.Property) bool {
	target := p.Schema.Resolve()
	return !p.Required || p.Schema.AllowsNull() || target.Const == nil || target.GoType != nil
}

func (w *walker) union(name string, s *schema.Schema) {
	names := w.schema(s)
	names.Marker, names.Decode = "is"+name, "decode"+name
	w.rules(name, s)
	for i, b := range s.Branches {
		preferred := inside(name, part(b.Value))
		if s.Discriminator == "" {
			preferred = name + strconv.Itoa(i+1)
		}
		w.use(preferred, b.Schema)
	}
	if s.KeepUnknown {
		names.Unknown = w.identifiers.claimNear(w.owner, s.Pos, name+"Unknown")
	}
}

// use names what s declares where it is used. The type of s gets the preferred name if it needs a name.
func (w *walker) use(preferred string, s *schema.Schema) {
	needsName := s.Kind == schema.Union || s.Kind == schema.Object && !IsMap(s) || s.Enum != nil
	switch {
	case s.GoType != nil:
	case needsName:
		name := w.identifiers.claimNear(w.owner, s.Pos, preferred)
		w.schema(s).Type = name
		w.contents(name, s)
	default:
		w.elements(preferred, s)
	}
}

// elements names what is inside a type that needs no declaration.
func (w *walker) elements(name string, s *schema.Schema) {
	switch {
	case s.GoType != nil:
	case s.Kind == schema.Array:
		w.rules(name, s)
		w.use(inside(name, "Item"), s.Items)
	case IsMap(s):
		w.rules(name, s)
		w.values(name, s)
	default:
		w.rules(name, s)
		w.pattern(name, s)
	}
}

// values names what is inside the members of an object that have no field.
func (w *walker) values(name string, s *schema.Schema) {
	if s.AdditionalSchema != nil {
		w.use(inside(name, "Value"), s.AdditionalSchema)
	}
}

func (w *walker) rules(name string, s *schema.Schema) {
	if len(s.Rules) > 0 {
		w.schema(s).Rules = w.identifiers.claimNear(w.owner, s.Pos, "rules"+name)
	}
}

func (w *walker) pattern(name string, s *schema.Schema) {
	if s.Kind == schema.String && s.Pattern != "" && s.Const == nil {
		w.schema(s).Pattern = w.identifiers.claimNear(w.owner, s.Pos, "pattern"+name)
	}
}
