package golang

import "github.com/dave/jennifer/jen"

// emitMessage writes the file of one URN.
func emitMessage(p *codePackage, m *message) *jen.File {
	f := newFile(p)
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
	settings = append(settings,
		member("Encode", jen.Parens(jen.Op("*").Id(m.Type)).Dot("EncodeJSON")),
		member("Decode", jen.Parens(jen.Op("*").Id(m.Type)).Dot("DecodeJSON")))
	f.Var().Id(m.Definition).Op("=").Add(bq("Definition")).Types(jen.Id(m.Type)).Add(multiline("{", "}", settings...))
	return f
}

// emitTypes writes the file of the shared types.
func emitTypes(p *codePackage) *jen.File {
	f := newFile(p)
	for _, d := range p.Types {
		emitDecl(f, d)
	}
	return f
}

// keyFunc is the function that takes the message key from a payload. A key that is absent is empty.
func keyFunc(m *message) jen.Code {
	value := jen.Id("v")
	var absent []jen.Code
	for _, step := range m.Key.Steps {
		value = value.Clone().Dot(step.Field)
		switch step.Presence {
		case pointer:
			absent = append(absent, value.Clone().Op("==").Nil())
		case zeroTime:
			absent = append(absent, value.Clone().Dot("IsZero").Call())
		}
	}
	isPointer := m.Key.Steps[len(m.Key.Steps)-1].Presence == pointer
	result := jen.Return(keyText(m.Key.Type, value, isPointer))
	f := jen.Func().Params(jen.Id("v").Op("*").Id(m.Type)).String()
	if len(absent) == 0 {
		return f.Custom(jen.Options{Open: "{", Close: "}"}, result) // on one line
	}
	condition := jen.Add(absent[0])
	for _, c := range absent[1:] {
		condition.Op("||").Add(c)
	}
	return f.Block(jen.If(condition).Block(jen.Return(jen.Lit(""))), result)
}

// keyText is value as the text of a key: that of its JSON, without quotes.
func keyText(t typ, value *jen.Statement, isPointer bool) jen.Code {
	plain := value
	if isPointer {
		plain = jen.Op("*").Add(value)
	}
	integer := func(v jen.Code) jen.Code { return jen.Qual(strconvPath, "FormatInt").Call(v, jen.Lit(10)) }
	boolean := func(v jen.Code) jen.Code { return jen.Qual(strconvPath, "FormatBool").Call(v) }
	switch t := t.(type) {
	case named:
		switch t.Of {
		case int64Kind:
			return integer(jen.Int64().Call(plain))
		case boolKind:
			return boolean(jen.Bool().Call(plain))
		}
		return jen.String().Call(plain)
	case builtin:
		switch t {
		case int64Type:
			return integer(plain)
		case boolType:
			return boolean(plain)
		case uuidType:
			return value.Clone().Dot("String").Call()
		case timeType:
			return value.Clone().Dot("Format").Call(jen.Qual(timePath, "RFC3339Nano"))
		}
	}
	return plain
}
