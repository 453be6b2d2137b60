package golang

import "github.com/dave/jennifer/jen"

// scalarMethods are the methods of encoder and decoder for the types that they know.
var scalarMethods = map[builtin]string{
	stringType: "String", int64Type: "Int64", int32Type: "Int32", uint64Type: "Uint64",
	float64Type: "Float64", float32Type: "Float32", boolType: "Bool", timeType: "Time", uuidType: "UUID",
	bytesType: "Base64", decimalType: "Decimal", ipv4Type: "IPv4", ipv6Type: "IPv6", jsonType: "JSON",
}

func encodeStruct(d *structDecl) []jen.Code {
	body := []jen.Code{jen.If(jen.Op("!").Id("e").Dot("BeginObject").Call()).Block(jen.Return())}
	for _, f := range d.Fields {
		write := encodeField(f)
		if present := isPresent(f); f.Const == nil && present != nil {
			write = jen.If(present).Block(write)
		}
		body = append(body, write)
	}
	if d.Rest != nil {
		body = append(body, encodeRest(d))
	}
	return append(body, jen.Id("e").Dot("EndObject").Call())
}

func encodeField(f field) jen.Code {
	into := jen.Id("e").Dot("Member").Call(jen.Lit(f.Member))
	switch {
	case f.Const != nil:
		return into.Dot(f.Const.Encode).Call(expr(f.Const.Value))
	case f.Presence == threeState:
		return encodeEach("EncodeOptional", f.Type, into, jen.Id("v").Dot(f.Name))
	}
	return encode(f.Type, into, operandOf(f))
}

// encodeRest encodes the members that have no field. None of them may have a field's name.
func encodeRest(d *structDecl) jen.Code {
	function, args := "EncodeAdditionalOf", []jen.Code{jen.Id("e"), jen.Id("v").Dot(d.Rest.Name)}
	if !isNamed(d.Rest.Elem) {
		function, args = "EncodeAdditional", append(args, encoderOf(d.Rest.Elem))
	}
	for _, f := range d.Fields {
		args = append(args, jen.Lit(f.Member))
	}
	return payload(function).Call(args...)
}

// encode encodes an operand of type t. into is an expression for the encoder.
func encode(t typ, into *jen.Statement, p operand) jen.Code {
	switch t := underlying(t).(type) {
	case builtin:
		value := p.value
		if p.builtin != nil {
			value = p.builtin
		}
		return into.Clone().Dot(scalarMethods[t]).Call(value)
	case external:
		return into.Clone().Dot("Marshaler").Call(p.address)
	case named:
		return p.receiver.Clone().Dot("EncodeJSON").Call(into)
	case union:
		return payload("EncodeUnion").Call(into, p.value)
	case slice:
		return encodeEach("EncodeArray", t.Elem, into, p.value)
	case mapping:
		return encodeEach("EncodeMap", t.Elem, into, p.value)
	case nullable:
		if canBeNil(t.Elem) {
			return jen.If(p.value.Clone().Op("==").Nil()).Block(
				into.Clone().Dot("Null").Call(),
			).Else().Block(encode(t.Elem, into, p))
		}
		return encodeEach("EncodeNullable", t.Elem, into, p.value)
	}
	panic("golang: a type without encoder")
}

// encodeEach calls a function of the runtime that encodes values of type elem inside something.
func encodeEach(function string, elem typ, into, value jen.Code) jen.Code {
	if isNamed(elem) {
		return payload(function+"Of").Call(into, value)
	}
	return payload(function).Call(into, value, encoderOf(elem))
}

// encodeFunc is a function that encodes an operand of type t.
func encodeFunc(t typ, p operand) jen.Code {
	body := []jen.Code{encode(t, jen.Id("e"), p)}
	return block(jen.Func().Params(pointerTo("e", payload("Encoder"))), body)
}

// encoderOf is a function that encodes a value of type t.
func encoderOf(t typ) jen.Code {
	switch u := underlying(t).(type) {
	case builtin:
		return jen.Parens(jen.Op("*").Add(payload("Encoder"))).Dot(scalarMethods[u])
	case union:
		return payload("EncodeUnion").Types(goType(t))
	}
	return jen.Func().Params(jen.Id("e").Op("*").Add(payload("Encoder")), jen.Id("v").Add(goType(t))).Block(
		encode(t, jen.Id("e"), variable(jen.Id("v"))))
}

func encodeDefined(d *definedDecl) []jen.Code {
	return []jen.Code{encode(d.Of, jen.Id("e"), defined(d))}
}
