package golang

import "github.com/dave/jennifer/jen"

// scalarMethods are the codec's methods for the types that it knows.
var scalarMethods = map[builtin]string{
	stringType: "String", int64Type: "Int64", float64Type: "Float64", boolType: "Bool", timeType: "Time", uuidType: "UUID",
}

func encodeStruct(d *structDecl) []jen.Code {
	body := []jen.Code{jen.If(jen.Op("!").Id("e").Dot("BeginObject").Call()).Block(jen.Return())}
	for _, f := range d.Fields {
		value := jen.Id("v").Dot(f.Name)
		into := jen.Id("e").Dot("Member").Call(jen.Lit(f.Member))
		write := encodeField(f, into, value)
		switch f.Presence {
		case required:
			body = append(body, write)
		case zeroTime:
			body = append(body, jen.If(jen.Op("!").Add(value.Clone()).Dot("IsZero").Call()).Block(write))
		default:
			body = append(body, jen.If(value.Clone().Op("!=").Nil()).Block(write))
		}
	}
	return append(body, jen.Id("e").Dot("EndObject").Call())
}

func encodeField(f field, into, value *jen.Statement) jen.Code {
	switch t := unalias(f.Type).(type) {
	case builtin:
		if f.Presence == pointer {
			value = jen.Op("*").Add(value)
		}
		return into.Dot(scalarMethods[t]).Call(value)
	case slice:
		return encodeSlice(t, into, value)
	}
	return value.Clone().Dot("EncodeJSON").Call(into)
}

// encodeSlice writes value, a slice of type t. into is an expression for the encoder.
func encodeSlice(t slice, into, value jen.Code) jen.Code {
	switch elem := unalias(t.Elem).(type) {
	case builtin:
		return bq("EncodeArray").Call(into, value, encoderMethod(elem))
	case slice:
		each := jen.Func().Params(jen.Id("e").Op("*").Add(bq("Encoder")), jen.Id("v").Add(goType(t.Elem))).Block(
			encodeSlice(elem, jen.Id("e"), jen.Id("v")))
		return bq("EncodeArray").Call(into, value, each)
	}
	return bq("EncodeArrayOf").Call(into, value)
}

func encoderMethod(t builtin) jen.Code {
	return jen.Parens(jen.Op("*").Add(bq("Encoder"))).Dot(scalarMethods[t])
}

func encodeDefined(d *definedDecl) []jen.Code {
	value := jen.Op("*").Id("v")
	switch t := d.Of.(type) {
	case builtin:
		return []jen.Code{jen.Id("e").Dot(scalarMethods[t]).Call(goType(t).Call(value))}
	case slice:
		return []jen.Code{encodeSlice(t, jen.Id("e"), value)}
	}
	return nil
}

func decodeStruct(d *structDecl) []jen.Code {
	body := []jen.Code{jen.Op("*").Id("v").Op("=").Id(d.Name).Values()}
	var needed []jen.Code
	for _, f := range d.Fields {
		if f.Presence == required {
			needed = append(needed, jen.Lit(f.Member))
		}
	}
	if len(needed) > 0 {
		body = append(body, jen.Id("d").Dot("Require").Call(needed...))
	}
	members := jen.Id("d").Dot("Object")
	if len(d.Fields) == 0 {
		return append(body, jen.For(jen.Range().Add(members)).Block(jen.Comment("// All members are unknown and passed over.")))
	}
	return append(body, jen.For(jen.Id("name").Op(":=").Range().Add(members)).Block(
		jen.Switch(jen.String().Call(jen.Id("name"))).BlockFunc(func(g *jen.Group) {
			for _, f := range d.Fields {
				g.Case(jen.Lit(f.Member)).Block(decodeField(f)...)
			}
		}),
	))
}

func decodeField(f field) []jen.Code {
	value := jen.Id("v").Dot(f.Name)
	address := jen.Op("&").Add(value)
	var out []jen.Code
	if f.Presence == pointer {
		out = append(out, value.Clone().Op("=").New(goType(f.Type)))
		address = value
	}
	switch t := unalias(f.Type).(type) {
	case builtin:
		out = append(out, jen.Id("d").Dot(scalarMethods[t]).Call(address))
	case slice:
		out = append(out, decodeSlice(t, address))
	default:
		out = append(out, value.Clone().Dot("DecodeJSON").Call(jen.Id("d")))
	}
	return out
}

// decodeSlice reads into the slice of type t that address points to.
func decodeSlice(t slice, address jen.Code) jen.Code {
	switch elem := unalias(t.Elem).(type) {
	case builtin:
		return bq("DecodeArray").Call(jen.Id("d"), address, decoderMethod(elem))
	case slice:
		each := jen.Func().Params(jen.Id("d").Op("*").Add(bq("Decoder")), jen.Id("v").Op("*").Add(goType(t.Elem))).Block(
			decodeSlice(elem, jen.Id("v")))
		return bq("DecodeArray").Call(jen.Id("d"), address, each)
	}
	return bq("DecodeArrayOf").Call(jen.Id("d"), address)
}

func decoderMethod(t builtin) jen.Code {
	return jen.Parens(jen.Op("*").Add(bq("Decoder"))).Dot(scalarMethods[t])
}

func decodeDefined(d *definedDecl) []jen.Code {
	address := jen.Parens(jen.Op("*").Add(goType(d.Of))).Parens(jen.Id("v"))
	switch t := d.Of.(type) {
	case builtin:
		return []jen.Code{jen.Id("d").Dot(scalarMethods[t]).Call(address)}
	case slice:
		return []jen.Code{decodeSlice(t, address)}
	}
	return nil
}
