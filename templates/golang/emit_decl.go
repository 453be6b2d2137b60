package golang

import "github.com/dave/jennifer/jen"

// emitType writes the part of a declaration that people review.
func emitType(f *jen.File, d decl) {
	switch d := d.(type) {
	case *structDecl:
		comment(f.Group, d.Doc)
		add(f, jen.Type().Id(d.Name).StructFunc(func(g *jen.Group) { emitFields(g, d) }))
	case *enumDecl:
		emitEnum(f, d)
	case *unionDecl:
		emitUnion(f, d)
	case *definedDecl:
		comment(f.Group, d.Doc)
		add(f, jen.Type().Id(d.Name).Add(goType(d.Of)))
	case *aliasDecl:
		comment(f.Group, d.Doc)
		add(f, jen.Type().Id(d.Name).Op("=").Add(goType(d.Of)))
	}
}

func emitFields(g *jen.Group, d *structDecl) {
	for _, f := range d.Fields {
		if f.Const != nil {
			continue
		}
		comment(g, f.Doc)
		s := g.Id(f.Name).Add(fieldType(f))
		if f.Tag != "" {
			s.Tag(map[string]string{"json": f.Tag})
		}
	}
	if d.Rest != nil {
		comment(g, d.Rest.Doc)
		g.Id(d.Rest.Name).Add(goType(mapping{Elem: d.Rest.Elem}))
	}
}

func emitEnum(f *jen.File, d *enumDecl) {
	comment(f.Group, d.Doc)
	add(f, jen.Type().Id(d.Name).Add(goType(d.Of)))
	comment(f.Group, doc{"The values of " + d.Name + "."})
	add(f, jen.Const().DefsFunc(func(g *jen.Group) {
		for _, c := range d.Constants {
			g.Id(c.Name).Id(d.Name).Op("=").Add(expr(c.Value))
		}
	}))
}

// emitUnion writes the interface and the type for unknown branches.
func emitUnion(f *jen.File, d *unionDecl) {
	comment(f.Group, d.Doc)
	f.Comment("//")
	f.Comment("//sumtype:decl")
	add(f, jen.Type().Id(d.Name).Interface(payload("Value"), jen.Id(d.Marker).Params()))
	if d.Unknown != nil {
		comment(f.Group, d.Unknown.Doc)
		add(f, jen.Type().Id(d.Unknown.Name).Struct(jen.Id("JSON").Add(bq("JSON"))))
	}
}
