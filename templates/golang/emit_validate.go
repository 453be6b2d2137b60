package golang

import "github.com/dave/jennifer/jen"

// validateStruct checks an object: itself, then those members whose schema asks for more than their Go type.
func validateStruct(d *structDecl) []jen.Code {
	var body []jen.Code
	c := jen.Id("c")
	if d.Size != nil {
		body = append(body, validateSize(d)...)
	}
	if d.Rules != "" {
		all := jen.Id("v").Dot("EncodeJSON")
		body = append(body, jen.If(jen.Op("!").Id("c").Dot("Received").Call()).Block(
			payload("Conforms").Call(jen.Id("c"), all, expr(d.Rules))))
	}
	var inside []jen.Code
	for _, f := range d.Fields {
		if f.Const != nil || !isChecked(f.Type) {
			continue
		}
		into := c.Clone().Dot("Member").Call(jen.Lit(f.Member))
		checks := validate(f.Type, into, operandOf(f))
		switch f.Presence {
		case required:
		case threeState:
			checks = []jen.Code{jen.If(jen.Id("v").Dot(f.Name).Dot("Value").Op("!=").Nil()).Block(checks...)}
		default:
			checks = []jen.Code{jen.If(isPresent(f)).Block(checks...)}
		}
		inside = append(inside, checks...)
	}
	if d.Rest != nil && isChecked(d.Rest.Elem) {
		rest := jen.Id("v").Dot(d.Rest.Name)
		inside = append(inside, payload("ValidateAdditional").Call(c, rest, validatorOf(d.Rest.Elem)))
	}
	if len(inside) == 0 {
		return body
	}
	body = append(body, jen.If(jen.Op("!").Add(c.Clone()).Dot("BeginObject").Call()).Block(jen.Return()))
	body = append(body, inside...)
	return append(body, c.Clone().Dot("EndObject").Call())
}

// validateSize counts the members of an object. The decoder of an object that ignores unknown members has counted all
// that were received.
func validateSize(d *structDecl) []jen.Code {
	var optional, terms []jen.Code
	for _, f := range d.Fields {
		if f.Presence != required {
			optional = append(optional, isPresent(f))
		}
	}
	if len(optional) > 0 {
		terms = append(terms, payload("Count").Add(multiline("(", ")", optional...)))
	}
	if d.Rest != nil {
		terms = append(terms, jen.Len(jen.Id("v").Dot(d.Rest.Name)))
	}
	if d.Size.Fixed > 0 || len(terms) == 0 {
		terms = append([]jen.Code{jen.Lit(d.Size.Fixed)}, terms...)
	}
	checks := []jen.Code{jen.Id("members").Op(":=").Add(infix("+", terms))}
	if d.Size.HasMin {
		checks = append(checks, payload("MinProperties").Call(jen.Id("c"), jen.Id("members"), jen.Lit(d.Size.Min)))
	}
	if d.Size.HasMax {
		checks = append(checks, payload("MaxProperties").Call(jen.Id("c"), jen.Id("members"), jen.Lit(d.Size.Max)))
	}
	if d.Further == furtherIgnored {
		return []jen.Code{jen.If(jen.Op("!").Id("c").Dot("Received").Call()).Block(checks...)}
	}
	return checks
}

// validate checks an operand of type t. into is an expression for the validator.
func validate(t typ, into *jen.Statement, p operand) []jen.Code {
	var out []jen.Code
	for _, c := range checksOf(t) {
		out = append(out, c.emit(t, into.Clone(), p))
	}
	if !isChecked(underlying(t)) {
		return out
	}
	switch t := underlying(t).(type) {
	case named:
		out = append(out, p.receiver.Clone().Dot("ValidateJSON").Call(into))
	case union:
		if t.Rules != "" {
			out = append(out, payload("ValidateTried").Call(into, p.value, expr(t.Rules)))
		} else {
			out = append(out, payload("ValidateUnion").Call(into, p.value))
		}
	case slice:
		out = append(out, payload("ValidateArray").Call(into, p.value, validatorOf(t.Elem)))
	case mapping:
		out = append(out, payload("ValidateMap").Call(into, p.value, validatorOf(t.Elem)))
	case nullable:
		inside := p
		if !canBeNil(t.Elem) {
			inside = dereferenced(p)
		}
		out = append(out, jen.If(p.value.Clone().Op("!=").Nil()).Block(validate(t.Elem, into, inside)...))
	}
	return out
}

// dereferenced is the operand that the pointer p points to.
func dereferenced(p operand) operand {
	return operand{address: p.value, value: jen.Op("*").Add(p.value), receiver: jen.Parens(p.value)}
}

// emit calls the check.
func (c check) emit(t typ, into *jen.Statement, p operand) jen.Code {
	value := p.value
	switch c.On {
	case onLength:
		value = jen.Len(p.value)
	case onText:
		value = payload("Text").Call(encodeFunc(t, p))
	case onJSON: // likewise
		unlessReceived := jen.If(jen.Op("!").Id("c").Dot("Received").Call())
		return unlessReceived.Block(payload(c.Func).Call(into, encodeFunc(t, p), expr(c.Arg.(goExpr))))
	case onEncoder: // the decoder has checked what was received
		unlessReceived := jen.If(jen.Op("!").Id("c").Dot("Received").Call())
		return unlessReceived.Block(payload(c.Func).Call(into, encodeFunc(t, p)))
	}
	var arg jen.Code
	switch a := c.Arg.(type) {
	case goExpr:
		arg = expr(a)
	case runtimeName:
		arg = payload(string(a))
	default:
		arg = jen.Lit(a)
	}
	return payload(c.Func).Call(into, value, arg)
}

// validatorOf is a function that checks a value of type t.
func validatorOf(t typ) jen.Code {
	if u, ok := underlying(t).(named); ok && len(checksOf(t)) == 0 {
		return methodOf(u.Name, "ValidateJSON")
	}
	return jen.Func().Params(pointerTo("v", goType(t)), pointerTo("c", payload("Validator"))).Block(
		validate(t, jen.Id("c"), pointee(jen.Id("v")))...)
}

func validateDefined(d *definedDecl) []jen.Code {
	if !isChecked(d.Of) {
		return nil
	}
	return validate(d.Of, jen.Id("c"), defined(d))
}
