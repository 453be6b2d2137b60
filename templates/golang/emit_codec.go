package golang

import "github.com/dave/jennifer/jen"

// emitCodec writes the methods of a declaration, and what they need.
func emitCodec(f *jen.File, d decl) {
	switch d := d.(type) {
	case *structDecl:
		emitCoder(f, coder{
			name: d.Name, encode: encodeStruct(d), decode: decodeStruct(d), validate: validateStruct(d),
			isChecked: d.IsChecked, isStandard: true,
		})
	case *definedDecl:
		emitCoder(f, coder{
			name: d.Name, encode: encodeDefined(d), decode: decodeDefined(d), validate: validateDefined(d),
			isChecked: d.IsChecked, isStandard: d.IsStandard,
		})
	case *enumDecl:
		emitEnumCodec(f, d)
	case *unionDecl:
		emitUnionCodec(f, d)
	case *ruleDecl:
		add(f, jen.Var().Id(d.Name).Op("=").Qual(jsonvaluePath, "New").Call(expr(d.Text)))
	case *patternDecl:
		add(f, jen.Var().Id(d.Name).Op("=").Add(payload("NewPattern")).Call(expr(d.Text)))
	}
}

// A coder is a type that encodes, decodes and validates itself.
type coder struct {
	name                     string
	encode, decode, validate []jen.Code
	isChecked                bool // it has ValidateJSON
	isStandard               bool // it has the methods of encoding/json
}

// The methods of generated types that take one argument of the runtime, by what the argument is.
var (
	encodeMethod   = codecMethod{"EncodeJSON", "e", "Encoder", "// EncodeJSON encodes v. Publishers call it."}
	decodeMethod   = codecMethod{"DecodeJSON", "d", "Decoder", "// DecodeJSON replaces v. Consumers call it."}
	validateMethod = codecMethod{
		"ValidateJSON", "c", "Validator", "// ValidateJSON reports what is wrong with v. Publishers and consumers call it.",
	}
)

type codecMethod struct{ name, param, argument, comment string }

// emit writes the method of the type called name.
func (m codecMethod) emit(f *jen.File, name string, body []jen.Code) {
	f.Comment(m.comment)
	add(f, method(
		pointerTo("v", jen.Id(name)), m.name, []jen.Code{pointerTo(m.param, payload(m.argument))}, nil, body...))
}

func emitCoder(f *jen.File, c coder) {
	encodeMethod.emit(f, c.name, c.encode)
	decodeMethod.emit(f, c.name, c.decode)
	v := jen.Id("v")
	check := jen.Code(jen.Nil())
	if c.isChecked {
		validateMethod.emit(f, c.name, c.validate)
		check = v.Clone().Dot("ValidateJSON")
	}
	f.Comment("// Validate returns everything that is wrong with v as one *bq.PayloadError.")
	add(f, method(pointerTo("v", jen.Id(c.name)), "Validate", nil, []jen.Code{jen.Error()},
		jen.Return(payload("Validate").Call(check, v.Clone().Dot("EncodeJSON")))))
	if !c.isStandard {
		return
	}
	// These need no comment: everybody knows them from encoding/json.
	add(f, method(v.Clone().Id(c.name), "MarshalJSON", nil, []jen.Code{jen.Index().Byte(), jen.Error()},
		jen.Return(payload("Marshal").Call(v.Clone().Dot("EncodeJSON")))))
	add(f, method(
		pointerTo("v", jen.Id(c.name)), "UnmarshalJSON", []jen.Code{jen.Id("text").Index().Byte()}, []jen.Code{jen.Error()},
		jen.Return(payload("Unmarshal").Call(jen.Id("text"), v.Clone().Dot("DecodeJSON")))))
}

// emitEnumCodec writes the table of values, on which the functions about them are based.
func emitEnumCodec(f *jen.File, d *enumDecl) {
	var values []jen.Code
	for _, c := range d.Constants {
		values = append(values, jen.Id(c.Name))
	}
	add(f, jen.Var().Id(d.Table).Op("=").Add(payload("NewEnumValues")).Add(multiline("(", ")", values...)))
	comment(f.Group, d.ValuesDoc)
	add(f, block(jen.Func().Id(d.Values).Params().Index().Id(d.Name),
		[]jen.Code{jen.Return(jen.Id(d.Table).Dot("All").Call())}))
	f.Comment("// Valid reports whether v is one of the values.")
	add(f, method(jen.Id("v").Id(d.Name), "Valid", nil, []jen.Code{jen.Bool()},
		jen.Return(jen.Id(d.Table).Dot("Has").Call(jen.Id("v")))))
	encodeMethod.emit(f, d.Name, []jen.Code{payload(d.Encode).Call(jen.Id("e"), jen.Op("*").Id("v"))})
	decodeMethod.emit(f, d.Name, []jen.Code{payload(d.Decode).Call(jen.Id("d"), jen.Id("v"))})
}

// emitUnionCodec writes the methods that let the branches in, and the function that tells them apart.
func emitUnionCodec(f *jen.File, d *unionDecl) {
	if d.Unknown != nil {
		emitUnknownCodec(f, d)
	}
	markers := func(name string) { f.Add(method(jen.Op("*").Id(name), d.Marker, nil, nil)) }
	for _, b := range d.Branches {
		markers(b.Type)
	}
	if d.Unknown != nil {
		markers(d.Unknown.Name)
	}
	f.Line()
	comment(f.Group, d.DecodeDoc)
	params := []jen.Code{pointerTo("d", payload("Decoder")), pointerTo("v", jen.Id(d.Name))}
	result := func() *jen.Statement { return jen.Op("*").Id("v").Op("=") }
	if d.Rules != "" {
		body := []jen.Code{
			result().Nil(), jen.If(jen.Op("!").Id("d").Dot("Fits").Call(expr(d.Rules))).Block(jen.Return()),
		}
		add(f, jen.Func().Id(d.Decode).Params(params...).Block(append(body, tryEach(d.Branches))...))
		return
	}
	add(f, jen.Func().Id(d.Decode).Params(params...).Block(
		result().Nil(),
		jen.List(jen.Id("value"), jen.Id("ok")).Op(":=").Id("d").Dot("Discriminator").Call(jen.Lit(d.Discriminator)),
		jen.If(jen.Op("!").Id("ok")).Block(jen.Return()),
		jen.Switch(jen.String().Call(jen.Id("value"))).BlockFunc(func(g *jen.Group) {
			decodeAs := func(name string) jen.Code {
				return result().Add(payload("NewBranch")).Types(jen.Id(name)).Call(jen.Id("d"))
			}
			for _, b := range d.Branches {
				g.Case(jen.Lit(b.Value)).Block(decodeAs(b.Type))
			}
			if d.Unknown != nil {
				g.Default().Block(decodeAs(d.Unknown.Name))
			} else {
				g.Default().Block(jen.Id("d").Dot("UnknownBranch").Call(jen.Lit(d.Discriminator), jen.Id("value")))
			}
		}),
	))
}

// tryEach tries branches one after another.
func tryEach(branches []branch) jen.Code {
	var all *jen.Statement = jen.Null()
	for i, b := range branches {
		if i > 0 {
			all = all.Else()
		}
		try := jen.List(jen.Id("b"), jen.Id("ok")).Op(":=").Add(payload("Try")).Types(jen.Id(b.Type)).Call(jen.Id("d"))
		all = all.If(try, jen.Id("ok")).Block(jen.Op("*").Id("v").Op("=").Id("b"))
	}
	return all.Else().Block(jen.Id("d").Dot("NoBranch").Call())
}

// emitUnknownCodec writes the methods of the type that keeps unknown branches.
func emitUnknownCodec(f *jen.File, d *unionDecl) {
	value := jen.Id("v").Dot("JSON")
	args := []jen.Code{jen.Id("c"), value, jen.Lit(d.Discriminator)}
	for _, b := range d.Branches {
		args = append(args, jen.Lit(b.Value))
	}
	emitCoder(f, coder{
		name:      d.Unknown.Name,
		encode:    []jen.Code{jen.Id("e").Dot("JSON").Call(value)},
		decode:    []jen.Code{jen.Id("d").Dot("JSON").Call(jen.Op("&").Add(value))},
		validate:  []jen.Code{payload("ValidateUnknown").Call(args...)},
		isChecked: true, isStandard: true,
	})
}
