package golang

import "github.com/dave/jennifer/jen"

func emitDecl(f *jen.File, d decl) {
	switch d := d.(type) {
	case *structDecl:
		emitStruct(f, d)
	case *enumDecl:
		emitEnum(f, d)
	case *unionDecl:
		emitUnion(f, d)
	case *definedDecl:
		emitDefined(f, d)
	case *patternDecl:
		f.Var().Id(d.Name).Op("=").Add(payload("NewPattern")).Call(verbatim(d.Text))
		f.Line()
	case *aliasDecl:
		comment(f.Group, d.Doc)
		f.Type().Id(d.Name).Op("=").Add(goType(d.Of))
		f.Line()
	}
}

func emitDefined(f *jen.File, d *definedDecl) {
	comment(f.Group, d.Doc)
	f.Type().Id(d.Name).Add(goType(d.Of))
	f.Line()
	emitMethod(f, d.Name, "EncodeJSON", encodeDefined(d))
	emitMethod(f, d.Name, "DecodeJSON", decodeDefined(d))
	emitMethod(f, d.Name, "ValidateJSON", validateDefined(d))
	emitValidate(f, d.Name)
	if canBeNil(d.Of) { // encoding/json would write null
		emitStandard(f, d.Name)
	}
}

func emitStruct(f *jen.File, d *structDecl) {
	comment(f.Group, d.Doc)
	f.Type().Id(d.Name).StructFunc(func(g *jen.Group) {
		for _, field := range d.Fields {
			if field.Const == nil {
				emitField(g, field)
			}
		}
		if d.Rest != nil {
			emitField(g, *d.Rest)
		}
	})
	f.Line()
	emitMethod(f, d.Name, "EncodeJSON", encodeStruct(d))
	emitMethod(f, d.Name, "DecodeJSON", decodeStruct(d))
	emitMethod(f, d.Name, "ValidateJSON", validateStruct(d))
	emitValidate(f, d.Name)
	emitStandard(f, d.Name)
}

func emitField(g *jen.Group, f field) {
	comment(g, f.Doc)
	s := g.Id(f.Name).Add(fieldType(f))
	if f.Tag != "" {
		s.Tag(map[string]string{"json": f.Tag})
	}
}

func receiver(name string) jen.Code { return jen.Id("v").Op("*").Id(name) }

var codecMethods = map[string]struct{ comment, param, codec string }{
	"EncodeJSON":   {"// EncodeJSON writes v as JSON. Publishers call it.", "e", "Encoder"},
	"DecodeJSON":   {"// DecodeJSON replaces v by what it reads. Consumers call it.", "d", "Decoder"},
	"ValidateJSON": {"// ValidateJSON adds what is wrong with v to c. Publishers and consumers call it.", "c", "Validator"},
}

// emitMethod writes EncodeJSON, DecodeJSON or ValidateJSON of the type called name.
func emitMethod(f *jen.File, name, method string, body []jen.Code) {
	m := codecMethods[method]
	f.Comment(m.comment)
	self, param := receiver(name), jen.Id(m.param).Op("*").Add(payload(m.codec))
	if len(body) == 0 {
		self, param = jen.Op("*").Id(name), jen.Op("*").Add(payload(m.codec))
	}
	f.Func().Params(self).Id(method).Params(param).Block(body...)
	f.Line()
}

// emitValidate writes Validate.
func emitValidate(f *jen.File, name string) {
	f.Comment("// Validate returns all that is wrong with v as one *bq.PayloadError.")
	f.Func().Params(receiver(name)).Id("Validate").Params().Error().Block(
		jen.Return(payload("Validate").Call(jen.Id("v").Dot("ValidateJSON"), jen.Id("v").Dot("EncodeJSON"))),
	)
	f.Line()
}

// emitStandard writes the methods that encoding/json calls.
func emitStandard(f *jen.File, name string) {
	f.Comment("// MarshalJSON returns v as it is on the wire, or a *bq.PayloadError.")
	f.Func().Params(jen.Id("v").Id(name)).Id("MarshalJSON").Params().Params(jen.Index().Byte(), jen.Error()).Block(
		jen.Return(payload("Marshal").Call(jen.Id("v").Dot("EncodeJSON"))),
	)
	f.Line()
	f.Comment("// UnmarshalJSON reads v as it is on the wire. What is wrong with it comes back as a *bq.PayloadError.")
	f.Func().Params(receiver(name)).Id("UnmarshalJSON").Params(jen.Id("text").Index().Byte()).Error().Block(
		jen.Return(payload("Unmarshal").Call(jen.Id("text"), jen.Id("v").Dot("DecodeJSON"))),
	)
	f.Line()
}

func emitEnum(f *jen.File, d *enumDecl) {
	comment(f.Group, d.Doc)
	f.Type().Id(d.Name).Add(goType(d.Of))
	f.Line()
	f.Comment("// The values of " + d.Name + ".")
	f.Const().DefsFunc(func(g *jen.Group) {
		for _, c := range d.Constants {
			value := jen.Lit(c.Value)
			if d.Of != stringType {
				value = jen.Op(c.Value)
			}
			g.Id(c.Name).Id(d.Name).Op("=").Add(value)
		}
	})
	f.Line()
	var names []jen.Code
	for _, c := range d.Constants {
		names = append(names, jen.Id(c.Name))
	}
	f.Comment("// " + d.Values + " returns the values of " + d.Name + " in the catalog's order.")
	f.Func().Id(d.Values).Params().Index().Id(d.Name).Block(
		jen.Return(jen.Index().Id(d.Name).Add(multiline("{", "}", names...))),
	)
	f.Line()
	f.Comment("// Valid reports whether v is one of the values.")
	f.Func().Params(jen.Id("v").Id(d.Name)).Id("Valid").Params().Bool().Block(
		jen.Switch(jen.Id("v")).Block(
			jen.Case(stacked(names)).Block(jen.Return(jen.True())),
		),
		jen.Return(jen.False()),
	)
	f.Line()
	kind := "Enum"
	if d.Of != stringType {
		kind = "IntegerEnum"
	}
	emitMethod(f, d.Name, "EncodeJSON", []jen.Code{payload("Encode"+kind).Call(jen.Id("e"), jen.Op("*").Id("v"))})
	emitMethod(f, d.Name, "DecodeJSON", []jen.Code{payload("Decode"+kind).Call(jen.Id("d"), jen.Id("v"))})
}

// stacked is a list without brackets, with each item on a line of its own.
func stacked(items []jen.Code) jen.Code {
	list := jen.Add(items[0])
	for _, item := range items[1:] {
		list.Op(",").Line().Add(item)
	}
	return list
}
