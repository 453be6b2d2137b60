package golang

import "github.com/dave/jennifer/jen"

// emitMessage writes the file of one URN.
func emitMessage(p *codePackage, m *message) *jen.File {
	f := newFile(p)
	nameImports(f, m.Decls)
	for _, d := range m.Decls {
		emitDecl(f, d)
	}
	comment(f.Group, m.HandlerDoc)
	f.Type().Id(m.Handler).InterfaceFunc(func(g *jen.Group) {
		comment(g, m.MethodDoc)
		g.Id(m.Method).Params(
			jen.Id("ctx").Qual(contextPath, "Context"),
			jen.Id("m").Op("*").Add(bq("Message")).Types(jen.Id(m.Type)),
		).Error()
	})
	f.Line()
	comment(f.Group, m.OnDoc)
	f.Func().Id(m.On).Params(jen.Id("fn").Add(bq("HandlerFunc")).Types(jen.Id(m.Type))).Add(bq("Route")).Block(
		jen.Return(bq("Handle").Call(jen.Id(m.Definition), jen.Id("fn"))),
	)
	f.Line()
	settings := []jen.Code{
		member("URN", jen.Id(m.Const)),
		member("Queue", jen.Id(m.Queue.Var)),
	}
	if m.Key != nil {
		settings = append(settings, member("Key", keyFunc(m)))
	}
	settings = append(settings, member("Codec", payload("Codec").Types(jen.Id(m.Type)).Add(multiline("{", "}",
		member("Encode", jen.Parens(jen.Op("*").Id(m.Type)).Dot("EncodeJSON")),
		member("Decode", jen.Parens(jen.Op("*").Id(m.Type)).Dot("DecodeJSON")),
		member("Validate", jen.Parens(jen.Op("*").Id(m.Type)).Dot("ValidateJSON")),
	))))
	f.Var().Id(m.Definition).Op("=").Add(bq("Definition")).Types(jen.Id(m.Type)).Add(multiline("{", "}", settings...))
	return f
}

// emitTypes writes the file of the shared types.
func emitTypes(p *codePackage) *jen.File {
	f := newFile(p)
	nameImports(f, p.Types)
	for _, d := range p.Types {
		emitDecl(f, d)
	}
	return f
}
