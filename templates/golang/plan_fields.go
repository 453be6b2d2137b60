package golang

import "github.com/babelqueue/bqgen/schema"

// declareStruct declares the object s as the struct called name.
func (w *walker) declareStruct(name string, about doc, s *schema.Schema) {
	d := &structDecl{Name: name, Doc: about, IsChecked: w.constraints.has(s)}
	w.decls = append(w.decls, d)
	for _, p := range s.Properties {
		f := w.field(name, p)
		w.fields[p] = f
		d.Fields = append(d.Fields, f)
	}
	switch s.Additional {
	case schema.AdditionalForbidden:
		d.Further = furtherRefused
	case schema.AdditionalKept:
		restName := w.names.Schemas[s].Rest
		d.Further = furtherKept
		d.Rest = &rest{
			Name: restName, Doc: sentence("Further members, by their names."), Elem: w.valuesOf(name+"."+restName, s),
		}
	}
	d.Size = sizeOf(s, d.Fields)
	d.Rules = w.rules(s)
}

// sizeOf returns the limits on the number of members of s, or nil.
func sizeOf(s *schema.Schema, fields []field) *sizeLimits {
	if s.MinProperties == nil && s.MaxProperties == nil {
		return nil
	}
	size := &sizeLimits{Max: -1}
	if s.MinProperties != nil {
		size.Min, size.HasMin = *s.MinProperties, true
	}
	if s.MaxProperties != nil {
		size.Max, size.HasMax = *s.MaxProperties, true
	}
	for _, f := range fields {
		if f.Presence == required {
			size.Fixed++
		}
	}
	return size
}

// field plans the member p of the struct called of.
func (w *walker) field(of string, p *schema.Property) field {
	f := field{Name: w.names.Fields[p], Member: p.Name}
	if f.Name == "" {
		target := p.Schema.Resolve()
		f.Const = constFieldOf(target, target.Const)
		return f
	}
	canBeNull := mayBeNull(p.Schema)
	path := of + "." + f.Name
	f.Type = w.useNotNull(path, "the type of "+path, p.Schema)
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

// documentField writes the comment of a field. It does not repeat what the field's type says about itself.
func (w *walker) documentField(f field, p *schema.Property) doc {
	var about doc
	if f.Tag == "" {
		about = sentence("%s is the member %s.", f.Name, quoted(p.Name))
	}
	s := p.Schema
	isDeclared := w.names.Schemas[s] != nil && w.names.Schemas[s].Type != ""
	if !isDeclared {
		about = paragraphs(about, prose(s.Title), prose(s.Description))
	}
	var remarks []string
	if !isDeclared {
		remarks = limits(s)
	}
	remarks = append(remarks, defaultOf(s)...)
	remarks = append(remarks, sensitivity(s)...)
	about = remark(about, remarks)
	if s.Deprecated {
		about = paragraphs(about, doc{deprecatedMark + "do not use."})
	}
	return about
}

// describe is what a schema says about the type that it becomes.
func describe(s *schema.Schema) doc {
	remarks := limits(s)
	if s.Kind != schema.Ref {
		remarks = append(remarks, sensitivity(s)...)
	}
	about := paragraphs(prose(s.Title), prose(s.Description), sentences(remarks))
	if s.Deprecated {
		about = paragraphs(about, doc{deprecatedMark + "do not use."})
	}
	return about
}

func presenceOf(isRequired bool, t typ) presence {
	switch {
	case isRequired:
		return required
	case canBeNil(t):
		return nilValue
	case underlying(t) == jsonType:
		return emptyJSON
	}
	return pointer
}
