package golang

import "github.com/dave/jennifer/jen"

func decodeStruct(d *structDecl) []jen.Code {
	body := []jen.Code{jen.Op("*").Id("v").Op("=").Id(d.Name).Values()}
	if d.Rules != "" {
		body = append(body, jen.Id("d").Dot("Conforms").Call(expr(d.Rules)))
	}
	var needed []jen.Code
	for _, f := range d.Fields {
		if f.Presence == required {
			needed = append(needed, jen.Lit(f.Member))
		}
	}
	if len(needed) > 0 {
		body = append(body, jen.Id("d").Dot("Require").Call(needed...))
	}
	if d.Size != nil && d.Further == furtherIgnored {
		body = append(body, jen.Id("d").Dot("Properties").Call(jen.Lit(d.Size.Min), jen.Lit(d.Size.Max)))
	}
	members := jen.Id("d").Dot("Object")
	switch {
	case len(d.Fields) > 0:
	case d.Further == furtherIgnored:
		return append(body, jen.For(jen.Range().Add(members)).Block(jen.Comment("// All members are unknown and ignored.")))
	case d.Further == furtherRefused:
		return append(body, jen.For(jen.Range().Add(members)).Block(jen.Id("d").Dot("Unknown").Call()))
	}
	return append(body, jen.For(jen.Id("name").Op(":=").Range().Add(members)).Block(
		jen.Switch(jen.String().Call(jen.Id("name"))).BlockFunc(func(g *jen.Group) {
			for _, f := range d.Fields {
				g.Case(jen.Lit(f.Member)).Block(decodeField(f)...)
			}
			switch d.Further {
			case furtherRefused:
				g.Default().Block(jen.Id("d").Dot("Unknown").Call())
			case furtherKept:
				g.Default().Block(decodeRest(d.Rest))
			}
		}),
	))
}

func decodeField(f field) []jen.Code {
	value := jen.Id("v").Dot(f.Name)
	switch {
	case f.Const != nil:
		return []jen.Code{jen.Id("d").Dot("Const").Call(expr(f.Const.JSON))}
	case f.Presence == threeState:
		return []jen.Code{decodeEach("DecodeOptional", f.Type, jen.Id("d"), jen.Op("&").Add(value))}
	case f.Presence == pointer:
		return append([]jen.Code{value.Clone().Op("=").New(goType(f.Type))}, decode(f.Type, operandOf(f))...)
	}
	return decode(f.Type, operandOf(f))
}

func decodeRest(r *rest) jen.Code {
	address := jen.Op("&").Id("v").Dot(r.Name)
	if isNamed(r.Elem) {
		return payload("DecodeAdditionalOf").Call(jen.Id("d"), address, jen.Id("name"))
	}
	return payload("DecodeAdditional").Call(jen.Id("d"), address, jen.Id("name"), decoderOf(r.Elem))
}

// decode decodes a value of type t into an operand.
func decode(t typ, p operand) []jen.Code {
	var out []jen.Code
	for _, rules := range rulesOf(t) {
		out = append(out, jen.Id("d").Dot("Conforms").Call(expr(rules)))
	}
	return append(out, decodeValue(t, p)...)
}

// decodeValue decodes a value without checking the rules of its schema.
func decodeValue(t typ, p operand) []jen.Code {
	d := jen.Id("d")
	switch t := underlying(t).(type) {
	case builtin:
		return []jen.Code{d.Dot(scalarMethods[t]).Call(p.address)}
	case external:
		return []jen.Code{d.Dot("Unmarshaler").Call(p.address)}
	case named:
		return []jen.Code{p.receiver.Clone().Dot("DecodeJSON").Call(d)}
	case union:
		return []jen.Code{jen.Id(t.Decode).Call(d, p.address)}
	case slice:
		out := []jen.Code{decodeEach("DecodeArray", t.Elem, d, p.address)}
		if t.IsUnique {
			out = append([]jen.Code{jen.Id("d").Dot("UniqueItems").Call()}, out...)
		}
		return out
	case mapping:
		return []jen.Code{decodeEach("DecodeMap", t.Elem, d, p.address)}
	case nullable:
		if canBeNil(t.Elem) {
			return []jen.Code{jen.If(jen.Id("d").Dot("Null").Call()).Block(
				p.value.Clone().Op("=").Nil(),
			).Else().Block(decode(t.Elem, p)...)}
		}
		return []jen.Code{decodeEach("DecodeNullable", t.Elem, d, p.address)}
	}
	panic("golang: a type without decoder")
}

// decodeEach calls a function of the runtime that decodes values of type elem inside something.
func decodeEach(function string, elem typ, from, address jen.Code) jen.Code {
	if isNamed(elem) {
		return payload(function+"Of").Call(from, address)
	}
	return payload(function).Call(from, address, decoderOf(elem))
}

// decoderOf is a function that decodes a value of type t.
func decoderOf(t typ) jen.Code {
	if len(rulesOf(t)) == 0 {
		switch u := underlying(t).(type) {
		case builtin:
			return jen.Parens(jen.Op("*").Add(payload("Decoder"))).Dot(scalarMethods[u])
		case union:
			return jen.Id(u.Decode)
		}
	}
	return jen.Func().Params(jen.Id("d").Op("*").Add(payload("Decoder")), jen.Id("v").Op("*").Add(goType(t))).Block(
		decode(t, pointee(jen.Id("v")))...)
}

func decodeDefined(d *definedDecl) []jen.Code {
	p := pointee(jen.Id("v"))
	p.address = jen.Parens(jen.Op("*").Add(goType(d.Of))).Parens(jen.Id("v"))
	return decode(d.Of, p)
}
