package golang

import "github.com/dave/jennifer/jen"

// emitMessage writes the file of one URN that people review: types, handler, route and definition.
func emitMessage(p *codePackage, m *message) *jen.File {
	f := newFile(p, m.Imports)
	for _, d := range m.Decls {
		emitType(f, d)
	}
	comment(f.Group, m.HandlerDoc)
	add(f, jen.Type().Id(m.Handler).InterfaceFunc(func(g *jen.Group) {
		comment(g, m.MethodDoc)
		g.Id(m.Method).Params(
			jen.Id("ctx").Qual(contextPath, "Context"),
			pointerTo("m", bq("Message").Types(jen.Id(m.Type))),
		).Error()
	}))
	comment(f.Group, m.OnDoc)
	add(f, block(
		jen.Func().Id(m.On).Params(jen.Id("fn").Add(bq("HandlerFunc")).Types(jen.Id(m.Type))).Add(bq("Route")),
		[]jen.Code{jen.Return(bq("Handle").Call(jen.Id(m.Definition).Call(), jen.Id("fn")))}))
	comment(f.Group, m.OnBatchDoc)
	add(f, jen.Func().Id(m.OnBatch).Params(
		jen.Id("fn").Add(bq("BatchFunc")).Types(jen.Id(m.Type)), jen.Id("b").Add(bq("Batch")),
	).Add(bq("Route")).Block(
		jen.Return(bq("HandleBatch").Call(jen.Id(m.Definition).Call(), jen.Id("fn"), jen.Id("b")))))
	settings := []jen.Code{
		keyed("URN", jen.Id(m.Const)),
		keyed("Queue", jen.Id(m.Queue.Function).Call()),
	}
	if m.Key != nil {
		settings = append(settings, keyed("Key", keyFunc(m)))
	}
	settings = append(settings, keyed("Codec", jen.Id(m.Codec)))
	definition := bq("Definition").Types(jen.Id(m.Type))
	comment(f.Group, m.DefinitionDoc)
	add(f, jen.Func().Id(m.Definition).Params().Add(definition).Block(
		jen.Return(definition.Clone().Add(multiline("{", "}", settings...)))))
	return f
}

// emitMessageCodec writes the other file of one URN.
func emitMessageCodec(p *codePackage, m *message) *jen.File {
	f := newFile(p, m.Imports)
	of := func(name string) jen.Code { return methodOf(m.Type, name) }
	fields := []jen.Code{keyed("Encode", of("EncodeJSON")), keyed("Decode", of("DecodeJSON"))}
	if m.IsChecked {
		fields = append(fields, keyed("Validate", of("ValidateJSON")))
	}
	add(f, jen.Var().Id(m.Codec).Op("=").Add(payload("Codec")).Types(jen.Id(m.Type)).Add(multiline("{", "}", fields...)))
	for _, d := range m.Decls {
		emitCodec(f, d)
	}
	return f
}

// methodOf is a method as a function whose first parameter is the receiver.
func methodOf(name, method string) *jen.Statement {
	return jen.Parens(jen.Op("*").Id(name)).Dot(method)
}

// emitTypes writes the shared types as people review them.
func emitTypes(p *codePackage) *jen.File {
	f := newFile(p, p.Types.Imports)
	for _, d := range p.Types.Decls {
		emitType(f, d)
	}
	return f
}

// emitTypesCodec writes how shared types are encoded, decoded and validated.
func emitTypesCodec(p *codePackage) *jen.File {
	f := newFile(p, p.Types.Imports)
	for _, d := range p.Types.Decls {
		emitCodec(f, d)
	}
	return f
}
