package golang

import "github.com/dave/jennifer/jen"

// keyFunc is the function that takes the message key from a payload. A key that is absent or null is empty.
func keyFunc(m *message) jen.Code {
	value := jen.Id("v")
	isPointer := false
	var absent []jen.Code
	for _, step := range m.Key.Steps {
		value = value.Clone().Dot(step.Field)
		isPointer = step.IsPointer
		if step.Presence == threeState {
			value.Dot("Value")
		}
		if isPointer {
			absent = append(absent, value.Clone().Op("==").Nil())
		}
	}
	f := jen.Func().Params(pointerTo("v", jen.Id(m.Type))).String()
	result := jen.Return(expr(m.Key.Const))
	if m.Key.Const == "" {
		result = jen.Return(keyText(m.Key.Type, value, isPointer))
	}
	if len(absent) == 0 {
		return block(f, []jen.Code{result})
	}
	return f.Block(jen.If(infix("||", absent)).Block(jen.Return(jen.Lit(""))), result)
}

// keyText is value as the text of a key: its JSON, without quotes.
func keyText(t typ, value *jen.Statement, isPointer bool) jen.Code {
	p := variable(value)
	if isPointer {
		p = pointee(value)
	}
	signed := func(v jen.Code) jen.Code { return jen.Qual(strconvPath, "FormatInt").Call(v, jen.Lit(10)) }
	switch t := t.(type) {
	case named:
		switch t.Of {
		case int64Kind, int32Kind:
			return signed(jen.Int64().Call(p.value))
		case uint64Kind:
			return jen.Qual(strconvPath, "FormatUint").Call(jen.Uint64().Call(p.value), jen.Lit(10))
		case boolKind:
			return jen.Qual(strconvPath, "FormatBool").Call(jen.Bool().Call(p.value))
		case textKind:
			return jen.String().Call(p.value)
		}
	case builtin:
		switch t {
		case stringType:
			return p.value
		case decimalType:
			return jen.String().Call(p.value)
		case int64Type:
			return signed(p.value)
		case int32Type:
			return signed(jen.Int64().Call(p.value))
		case uint64Type:
			return jen.Qual(strconvPath, "FormatUint").Call(p.value, jen.Lit(10))
		case boolType:
			return jen.Qual(strconvPath, "FormatBool").Call(p.value)
		case uuidType, ipv4Type, ipv6Type:
			return p.receiver.Clone().Dot("String").Call()
		case timeType:
			return p.receiver.Clone().Dot("Format").Call(jen.Qual(timePath, "RFC3339Nano"))
		}
	}
	return payload("KeyText").Call(encodeFunc(t, p))
}
