package golang

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

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
	if d.Further == furtherIgnored && (d.MinProperties != nil || d.MaxProperties != nil) {
		min, max := 0, -1
		if d.MinProperties != nil {
			min = *d.MinProperties
		}
		if d.MaxProperties != nil {
			max = *d.MaxProperties
		}
		body = append(body, jen.Id("d").Dot("Properties").Call(jen.Lit(min), jen.Lit(max)))
	}
	members := jen.Id("d").Dot("Object")
	switch {
	case len(d.Fields) > 0:
	case d.Further == furtherIgnored:
		return append(body, jen.For(jen.Range().Add(members)).Block(jen.Comment("// All members are unknown and passed over.")))
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
		return []jen.Code{jen.Id("d").Dot("Const").Call(verbatim(f.Const.JSON))}
	case f.Presence == threeState:
		return []jen.Code{each("DecodeOptional", f.Type, jen.Id("d"), jen.Op("&").Add(value))}
	case f.Presence == pointer:
		return append([]jen.Code{value.Clone().Op("=").New(goType(f.Type))}, decode(f.Type, placeOf(f))...)
	}
	return decode(f.Type, placeOf(f))
}

func decodeRest(rest *field) jen.Code {
	elem := bare(rest.Type).(mapping).Elem
	address := jen.Op("&").Id("v").Dot(rest.Name)
	if _, ok := bare(elem).(named); ok {
		return payload("DecodeAdditionalOf").Call(jen.Id("d"), address, jen.Id("name"))
	}
	return payload("DecodeAdditional").Call(jen.Id("d"), address, jen.Id("name"), decoderOf(elem))
}

// decode reads a value of type t to a place.
func decode(t typ, p place) []jen.Code {
	d := jen.Id("d")
	switch t := bare(t).(type) {
	case builtin:
		return []jen.Code{d.Dot(scalarMethods[t]).Call(p.address)}
	case external:
		return []jen.Code{d.Dot("Unmarshaler").Call(p.address)}
	case named:
		return []jen.Code{p.receiver.Clone().Dot("DecodeJSON").Call(d)}
	case union:
		return []jen.Code{jen.Id("decode"+t.Name).Call(d, p.address)}
	case slice:
		out := []jen.Code{each("DecodeArray", t.Elem, d, p.address)}
		if t.IsUnique {
			out = append([]jen.Code{jen.Id("d").Dot("UniqueItems").Call()}, out...)
		}
		return out
	case mapping:
		return []jen.Code{each("DecodeMap", t.Elem, d, p.address)}
	case nullable:
		if canBeNil(t.Elem) {
			return []jen.Code{jen.If(jen.Id("d").Dot("Null").Call()).Block(p.value.Clone().Op("=").Nil()).Else().Block(decode(t.Elem, p)...)}
		}
		return []jen.Code{each("DecodeNullable", t.Elem, d, p.address)}
	}
	panic(fmt.Sprintf("no decoder for %T", bare(t)))
}

// decoderOf is a function that reads a value of type t.
func decoderOf(t typ) jen.Code {
	switch u := bare(t).(type) {
	case builtin:
		return jen.Parens(jen.Op("*").Add(payload("Decoder"))).Dot(scalarMethods[u])
	case union:
		return jen.Id("decode" + u.Name)
	}
	return jen.Func().Params(jen.Id("d").Op("*").Add(payload("Decoder")), jen.Id("v").Op("*").Add(goType(t))).Block(
		decode(t, behind(jen.Id("v")))...)
}

func decodeDefined(d *definedDecl) []jen.Code {
	p := behind(jen.Id("v"))
	p.address = jen.Parens(jen.Op("*").Add(goType(d.Of))).Parens(jen.Id("v"))
	return decode(d.Of, p)
}
