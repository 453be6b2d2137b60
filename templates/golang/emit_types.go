package golang

import "github.com/dave/jennifer/jen"

// goType is t as it is written in Go.
func goType(t typ) *jen.Statement {
	switch t := t.(type) {
	case named:
		return jen.Id(t.Name)
	case union:
		return jen.Id(t.Name)
	case *alias:
		return jen.Id(t.Name)
	case checked:
		return goType(t.Of)
	case external:
		return jen.Qual(t.Import, t.Name)
	case slice:
		return jen.Index().Add(goType(t.Elem))
	case mapping:
		return jen.Map(jen.String()).Add(goType(t.Elem))
	case nullable:
		if canBeNil(t.Elem) {
			return goType(t.Elem)
		}
		return jen.Op("*").Add(goType(t.Elem))
	case builtin:
		switch t {
		case int64Type:
			return jen.Int64()
		case int32Type:
			return jen.Int32()
		case uint64Type:
			return jen.Uint64()
		case float64Type:
			return jen.Float64()
		case float32Type:
			return jen.Float32()
		case boolType:
			return jen.Bool()
		case timeType:
			return jen.Qual(timePath, "Time")
		case uuidType:
			return jen.Qual(uuidPath, "UUID")
		case bytesType:
			return jen.Index().Byte()
		case decimalType:
			return bq("Decimal")
		case ipv4Type, ipv6Type:
			return jen.Qual(netipPath, "Addr")
		case jsonType:
			return bq("JSON")
		}
	}
	return jen.String()
}

// fieldType is the type that a field has for its presence.
func fieldType(f field) *jen.Statement {
	switch f.Presence {
	case pointer:
		return jen.Op("*").Add(goType(f.Type))
	case threeState:
		return bq("Optional").Types(goType(f.Type))
	}
	return goType(f.Type)
}

// An operand is a value in generated code.
type operand struct {
	address  *jen.Statement // a pointer to it
	value    *jen.Statement
	receiver *jen.Statement // what its methods are called on
	builtin  *jen.Statement // its value as a builtin type; nil if the value is of that type
}

// variable is the operand that a variable or field is.
func variable(v *jen.Statement) operand {
	return operand{address: jen.Op("&").Add(v), value: v, receiver: v}
}

// pointee is the operand that a pointer points to.
func pointee(ptr *jen.Statement) operand {
	return operand{address: ptr, value: jen.Op("*").Add(ptr), receiver: ptr}
}

// defined is the operand that v points to, a value of a type that is declared.
func defined(d *definedDecl) operand {
	p := pointee(jen.Id("v"))
	if t, ok := underlying(d.Of).(builtin); ok {
		p.builtin = goType(t).Call(p.value)
	}
	return p
}

// operandOf is the value of a field that is present.
func operandOf(f field) operand {
	v := jen.Id("v").Dot(f.Name)
	switch f.Presence {
	case pointer:
		return pointee(v)
	case threeState:
		return pointee(v.Clone().Dot("Value"))
	}
	return variable(v)
}

// isPresent is the condition that a field has a value, or nil when it always has one.
func isPresent(f field) *jen.Statement {
	v := jen.Id("v").Dot(f.Name)
	switch f.Presence {
	case pointer, nilValue:
		return v.Op("!=").Nil()
	case emptyJSON:
		return jen.Len(v).Op(">").Lit(0)
	case threeState:
		return jen.Op("!").Add(v).Dot("IsZero").Call()
	}
	return nil
}
