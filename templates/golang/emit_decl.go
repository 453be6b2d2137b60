package golang

import "github.com/dave/jennifer/jen"

func emitDecl(f *jen.File, d decl) {
	switch d := d.(type) {
	case *structDecl:
		emitStruct(f, d)
	case *enumDecl:
		emitEnum(f, d)
	case *definedDecl:
		comment(f.Group, d.Doc)
		f.Type().Id(d.Name).Add(goType(d.Of))
		f.Line()
		emitMethod(f, d.Name, "EncodeJSON", "e", encodeDefined(d))
		emitMethod(f, d.Name, "DecodeJSON", "d", decodeDefined(d))
	case *aliasDecl:
		comment(f.Group, d.Doc)
		f.Type().Id(d.Name).Op("=").Add(goType(d.Of))
		f.Line()
	}
}

func emitStruct(f *jen.File, d *structDecl) {
	comment(f.Group, d.Doc)
	f.Type().Id(d.Name).StructFunc(func(g *jen.Group) {
		for _, field := range d.Fields {
			emitField(g, field)
		}
	})
	f.Line()
	emitMethod(f, d.Name, "EncodeJSON", "e", encodeStruct(d))
	emitMethod(f, d.Name, "DecodeJSON", "d", decodeStruct(d))
	f.Comment("// MarshalJSON returns v as it is on the wire, or a *bq.PayloadError.")
	f.Func().Params(jen.Id("v").Id(d.Name)).Id("MarshalJSON").Params().Params(jen.Index().Byte(), jen.Error()).Block(
		jen.Return(bq("MarshalPayload").Call(jen.Id("v").Dot("EncodeJSON"))),
	)
	f.Line()
	f.Comment("// UnmarshalJSON reads v as it is on the wire. What is wrong with it comes back as a *bq.PayloadError.")
	f.Func().Params(receiver(d.Name)).Id("UnmarshalJSON").Params(jen.Id("text").Index().Byte()).Error().Block(
		jen.Return(bq("UnmarshalPayload").Call(jen.Id("text"), jen.Id("v").Dot("DecodeJSON"))),
	)
	f.Line()
}

func emitField(g *jen.Group, f field) {
	comment(g, f.Doc)
	s := g.Id(f.Name)
	if f.Presence == pointer {
		s.Op("*")
	}
	s.Add(goType(f.Type))
	if f.Tag != "" {
		s.Tag(map[string]string{"json": f.Tag})
	}
}

func receiver(name string) jen.Code { return jen.Id("v").Op("*").Id(name) }

var methodComments = map[string]string{
	"EncodeJSON": "// EncodeJSON writes v as JSON. Publishers call it.",
	"DecodeJSON": "// DecodeJSON replaces v by what it reads. Consumers call it.",
}

// emitMethod writes EncodeJSON or DecodeJSON of the type called name.
func emitMethod(f *jen.File, name, method, param string, body []jen.Code) {
	codec := map[string]string{"e": "Encoder", "d": "Decoder"}[param]
	f.Comment(methodComments[method])
	f.Func().Params(receiver(name)).Id(method).Params(jen.Id(param).Op("*").Add(bq(codec))).Block(body...)
	f.Line()
}

func emitEnum(f *jen.File, d *enumDecl) {
	comment(f.Group, d.Doc)
	f.Type().Id(d.Name).String()
	f.Line()
	f.Comment("// The values of " + d.Name + ".")
	f.Const().DefsFunc(func(g *jen.Group) {
		for _, c := range d.Constants {
			g.Id(c.Name).Id(d.Name).Op("=").Lit(c.Value)
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
	emitMethod(f, d.Name, "EncodeJSON", "e", []jen.Code{bq("EncodeEnum").Call(jen.Id("e"), jen.Op("*").Id("v"))})
	emitMethod(f, d.Name, "DecodeJSON", "d", []jen.Code{bq("DecodeEnum").Call(jen.Id("d"), jen.Id("v"))})
}

// stacked is a list without brackets, with each item on a line of its own.
func stacked(items []jen.Code) jen.Code {
	list := jen.Add(items[0])
	for _, item := range items[1:] {
		list.Op(",").Line().Add(item)
	}
	return list
}
