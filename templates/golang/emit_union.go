package golang

import "github.com/dave/jennifer/jen"

// emitUnion writes the interface, the methods that let the branches in, and the function that tells them apart.
func emitUnion(f *jen.File, d *unionDecl) {
	comment(f.Group, unionDoc(d))
	f.Type().Id(d.Name).Interface(payload("Value"), jen.Id(d.Marker).Params())
	f.Line()
	types := make([]string, 0, len(d.Branches)+1)
	for _, b := range d.Branches {
		types = append(types, b.Type)
	}
	if d.Unknown != "" {
		emitUnknown(f, d)
		types = append(types, d.Unknown)
	}
	for _, t := range types {
		f.Func().Params(jen.Op("*").Id(t)).Id(d.Marker).Params().Block()
		f.Line()
	}
	f.Comment("// " + d.Decode + " reads the branch that the member of the discriminator says.")
	f.Func().Id(d.Decode).Params(jen.Id("d").Op("*").Add(payload("Decoder")), jen.Id("v").Op("*").Id(d.Name)).Block(
		jen.Op("*").Id("v").Op("=").Nil(),
		jen.List(jen.Id("value"), jen.Id("ok")).Op(":=").Id("d").Dot("Discriminator").Call(jen.Lit(d.Discriminator)),
		jen.If(jen.Op("!").Id("ok")).Block(jen.Return()),
		jen.Switch(jen.String().Call(jen.Id("value"))).BlockFunc(func(g *jen.Group) {
			for _, b := range d.Branches {
				g.Case(jen.Lit(b.Value)).Block(jen.Op("*").Id("v").Op("=").Add(payload("NewBranch")).Types(jen.Id(b.Type)).Call(jen.Id("d")))
			}
			if d.Unknown != "" {
				g.Default().Block(jen.Op("*").Id("v").Op("=").Add(payload("NewBranch")).Types(jen.Id(d.Unknown)).Call(jen.Id("d")))
			} else {
				g.Default().Block(jen.Id("d").Dot("UnknownBranch").Call(jen.Lit(d.Discriminator), jen.Id("value")))
			}
		}),
	)
	f.Line()
}

// unionDoc says what a union can be.
func unionDoc(d *unionDecl) doc {
	list := ""
	for i, b := range d.Branches {
		switch {
		case i == 0:
		case i == len(d.Branches)-1 && d.Unknown == "":
			list += " or "
		default:
			list += ", "
		}
		list += "*" + b.Type
	}
	if d.Unknown != "" {
		list += " or *" + d.Unknown
	}
	return paragraphs(d.Doc, sentence("It is a %s, as its member %s says.", list, quoted(d.Discriminator)))
}

// emitUnknown writes the type that keeps what no branch is for.
func emitUnknown(f *jen.File, d *unionDecl) {
	comment(f.Group, sentence("%s is a %s of a kind that this code does not know. It is kept as it came.", d.Unknown, d.Name))
	f.Type().Id(d.Unknown).Struct(jen.Id("JSON").Add(bq("JSON")))
	f.Line()
	value := jen.Id("v").Dot("JSON")
	emitMethod(f, d.Unknown, "EncodeJSON", []jen.Code{jen.Id("e").Dot("JSON").Call(value)})
	emitMethod(f, d.Unknown, "DecodeJSON", []jen.Code{jen.Id("d").Dot("JSON").Call(jen.Op("&").Add(value))})
	args := []jen.Code{jen.Id("c"), value, jen.Lit(d.Discriminator)}
	for _, b := range d.Branches {
		args = append(args, jen.Lit(b.Value))
	}
	emitMethod(f, d.Unknown, "ValidateJSON", []jen.Code{payload("ValidateUnknown").Call(args...)})
	emitValidate(f, d.Unknown)
	emitStandard(f, d.Unknown)
}
