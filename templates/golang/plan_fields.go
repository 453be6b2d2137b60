package golang

import (
	"github.com/babelqueue/bqgen/schema"
)

// declareStruct declares name, which is taken already, as the object s.
func (w *walker) declareStruct(name string, about doc, s *schema.Schema) {
	d := &structDecl{Name: name, Doc: about, MinProperties: s.MinProperties, MaxProperties: s.MaxProperties}
	w.decls = append(w.decls, d)
	names := w.fieldNames(s)
	for i, p := range s.Properties {
		f := w.field(name, names[i], p)
		w.fields[p] = f
		d.Fields = append(d.Fields, f)
	}
	switch s.Additional {
	case schema.AdditionalForbidden:
		d.Further = furtherRefused
	case schema.AdditionalKept:
		rest := field{Name: names[len(s.Properties)], Presence: nilValue, Doc: sentence("Further members, by their names.")}
		rest.Type = w.mapOf(join([]string{name, rest.Name}), "the further members of "+name, s)
		d.Further, d.Rest = furtherKept, &rest
	}
}

// restName is the field for members that have none of their own.
const restName = "AdditionalProperties"

// fieldNames decides what the fields of an object are called, and the one for further members, which comes last. A name
// that the catalog gives is never changed: what would have it as well makes room, or the name is refused.
func (w *walker) fieldNames(s *schema.Schema) []string {
	wished := make([]string, 0, len(s.Properties)+1)
	given := map[string]bool{}
	for _, p := range s.Properties {
		explicit := p.Schema.GoName
		switch {
		case explicit == "":
			wished = append(wished, exported(p.Name))
			continue
		case methodNames[explicit]:
			w.refuseGoName(p, "is a method of all generated types")
		case given[explicit]:
			w.refuseGoName(p, "is already that of another member")
		}
		given[explicit] = true
		wished = append(wished, explicit)
	}
	if s.Additional == schema.AdditionalKept {
		wished = append(wished, restName)
	}
	if len(given) == 0 {
		return settle(wished, methodNames, "Field")
	}
	// The given names come first, so that they are left as they are.
	order := make([]int, 0, len(wished))
	for _, first := range []bool{true, false} {
		for i := range wished {
			if isGiven := i < len(s.Properties) && s.Properties[i].Schema.GoName != ""; isGiven == first {
				order = append(order, i)
			}
		}
	}
	sorted := make([]string, len(wished))
	for i, from := range order {
		sorted[i] = wished[from]
	}
	names := make([]string, len(wished))
	for i, name := range settle(sorted, methodNames, "Field") {
		names[order[i]] = name
	}
	return names
}

func (w *walker) refuseGoName(p *schema.Property, why string) {
	w.names.findings = append(w.names.findings, schema.Diagnostic{
		Pos: p.Schema.GoNamePos, Rule: ruleCollision,
		Message: "x-go-name " + p.Schema.GoName + " of the member " + quoted(p.Name) + " " + why,
		Hint:    "give the member another x-go-name",
	})
}

// methodNames are the methods that structs have; a field cannot share their names.
var methodNames = map[string]bool{
	"EncodeJSON": true, "DecodeJSON": true, "ValidateJSON": true, "MarshalJSON": true, "UnmarshalJSON": true, "Validate": true,
}

// field plans the member p of the struct called of.
func (w *walker) field(of, name string, p *schema.Property) field {
	f := field{Name: name, Member: p.Name}
	canBeNull := mayBeNull(p.Schema)
	if target := p.Schema.Resolve(); p.Required && !canBeNull && target.Const != nil && target.GoType == nil {
		return field{Member: p.Name, Const: literalOf(target, target.Const)}
	}
	what := "the member " + quoted(p.Name) + " of " + of
	f.Type = w.useNotNull(join([]string{of, name}), what, p.Schema)
	switch {
	case p.Required && canBeNull:
		f.Type = nullable{Elem: f.Type}
	case !p.Required && canBeNull:
		f.Presence = threeState
	default:
		f.Presence = presenceOf(p.Required, f.Type)
	}
	f.Tag = jsonTag(p.Name, f.Presence)
	f.Doc = w.documentField(f, p)
	return f
}

// documentField writes the comment of a field. What its type says about itself is not said again.
func (w *walker) documentField(f field, p *schema.Property) doc {
	var about doc
	if f.Tag == "" {
		about = sentence("%s is the member %s.", f.Name, quoted(p.Name))
	}
	s := p.Schema
	_, isUnion := f.Type.(union)
	if _, declared := f.Type.(named); !declared && !isUnion || s.Kind == schema.Ref {
		about = paragraphs(about, text(s.Title), text(s.Description))
	}
	if s.Default != nil {
		about = paragraphs(about, sentence("Default: %s", oneLine(shorten(string(s.Default.JSON)))))
	}
	if s.Sensitive != "" {
		about = paragraphs(about, sensitive(s))
	}
	if s.Deprecated {
		about = paragraphs(about, doc{"Deprecated: this member is no longer to be used."})
	}
	return about
}

// describe is what a schema says about itself.
func describe(s *schema.Schema) doc {
	about := paragraphs(text(s.Title), text(s.Description))
	if s.Sensitive != "" && s.Kind != schema.Ref {
		about = paragraphs(about, sensitive(s))
	}
	if s.Deprecated {
		about = paragraphs(about, doc{"Deprecated: this type is no longer to be used."})
	}
	return about
}

func sensitive(s *schema.Schema) doc {
	if s.Sensitive == "true" {
		return sentence("Sensitive data.")
	}
	return sentence("Sensitive data: %s", oneLine(shorten(s.Sensitive)))
}

// shorten keeps a value of the catalog from filling the comment.
func shorten(value string) string {
	const longest = 200
	if runes := []rune(value); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return value
}

func presenceOf(isRequired bool, t typ) presence {
	switch {
	case isRequired:
		return required
	case canBeNil(t):
		return nilValue
	case bare(t) == jsonType:
		return emptyJSON
	case bare(t) == timeType:
		return zeroTime
	}
	return pointer
}
