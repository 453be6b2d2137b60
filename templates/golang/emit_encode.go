package golang

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// scalarMethods are the codec's methods for the types that it knows.
var scalarMethods = map[builtin]string{
	stringType: "String", int64Type: "Int64", int32Type: "Int32", uint64Type: "Uint64", float64Type: "Float64", float32Type: "Float32",
	boolType: "Bool", timeType: "Time", uuidType: "UUID", bytesType: "Base64", decimalType: "Decimal", ipv4Type: "IPv4", ipv6Type: "IPv6",
	jsonType: "JSON",
}

func encodeStruct(d *structDecl) []jen.Code {
	body := []jen.Code{jen.If(jen.Op("!").Id("e").Dot("BeginObject").Call()).Block(jen.Return())}
	for _, f := range d.Fields {
		write := encodeField(f)
		if there := isThere(f); f.Const == nil && there != nil {
			write = jen.If(there).Block(write)
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
		return encodeConst(f.Const, into)
	case f.Presence == threeState:
		return each("EncodeOptional", f.Type, into, jen.Id("v").Dot(f.Name))
	}
	return encode(f.Type, into, placeOf(f))
}

func encodeConst(c *literal, into *jen.Statement) jen.Code {
	switch {
	case c.Of == stringType:
		return into.Dot("String").Call(jen.Lit(c.Text))
	case c.Of == boolType:
		return into.Dot("Bool").Call(jen.Op(c.JSON))
	}
	return into.Dot("Literal").Call(jen.Lit(c.JSON))
}

// encodeRest writes the members that have no field. None of them may have a field's name.
func encodeRest(d *structDecl) jen.Code {
	elem := bare(d.Rest.Type).(mapping).Elem
	value := jen.Id("v").Dot(d.Rest.Name)
	args := []jen.Code{jen.Id("e"), value}
	function := "EncodeAdditionalOf"
	if _, ok := bare(elem).(named); !ok {
		function = "EncodeAdditional"
		args = append(args, encoderOf(elem))
	}
	for _, f := range d.Fields {
		args = append(args, jen.Lit(f.Member))
	}
	return payload(function).Call(args...)
}

// encode writes what is at a place, of type t. into is an expression for the encoder.
func encode(t typ, into *jen.Statement, p place) jen.Code {
	switch t := bare(t).(type) {
	case builtin:
		return into.Clone().Dot(scalarMethods[t]).Call(p.value)
	case external:
		return into.Clone().Dot("Marshaler").Call(p.address)
	case named:
		return p.receiver.Clone().Dot("EncodeJSON").Call(into)
	case union:
		return payload("EncodeUnion").Call(into, p.value)
	case slice:
		return each("EncodeArray", t.Elem, into, p.value)
	case mapping:
		return each("EncodeMap", t.Elem, into, p.value)
	case nullable:
		if canBeNil(t.Elem) {
			return jen.If(p.value.Clone().Op("==").Nil()).Block(into.Clone().Dot("Null").Call()).Else().Block(encode(t.Elem, into, p))
		}
		return each("EncodeNullable", t.Elem, into, p.value)
	}
	panic(fmt.Sprintf("no encoder for %T", bare(t)))
}

// each calls a function of the runtime that writes or reads values of type elem inside of something.
func each(function string, elem typ, codec, value jen.Code) jen.Code {
	if _, ok := bare(elem).(named); ok {
		return payload(function+"Of").Call(codec, value)
	}
	if function[0] == 'D' {
		return payload(function).Call(codec, value, decoderOf(elem))
	}
	return payload(function).Call(codec, value, encoderOf(elem))
}

// encoderOf is a function that writes a value of type t.
func encoderOf(t typ) jen.Code {
	switch u := bare(t).(type) {
	case builtin:
		return jen.Parens(jen.Op("*").Add(payload("Encoder"))).Dot(scalarMethods[u])
	case union:
		return payload("EncodeUnion").Types(goType(t))
	}
	return jen.Func().Params(jen.Id("e").Op("*").Add(payload("Encoder")), jen.Id("v").Add(goType(t))).Block(
		encode(t, jen.Id("e"), at(jen.Id("v"))))
}

func encodeDefined(d *definedDecl) []jen.Code {
	p := behind(jen.Id("v"))
	if t, ok := bare(d.Of).(builtin); ok {
		p.value = goType(t).Call(p.value)
	}
	return []jen.Code{encode(d.Of, jen.Id("e"), p)}
}
