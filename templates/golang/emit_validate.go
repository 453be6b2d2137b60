package golang

import "github.com/dave/jennifer/jen"

// validateStruct has the checks of an object: its own, then those of its members that ask for more than their type.
func validateStruct(d *structDecl) []jen.Code {
	var body []jen.Code
	c := jen.Id("c")
	if d.MinProperties != nil || d.MaxProperties != nil {
		body = append(body, validateSize(d)...)
	}
	var inside []jen.Code
	for _, f := range d.Fields {
		if f.Const != nil || !isChecked(f.Type) {
			continue
		}
		into := c.Clone().Dot("Member").Call(jen.Lit(f.Member))
		checks := validate(f.Type, into, placeOf(f))
		switch f.Presence {
		case required:
		case threeState:
			checks = []jen.Code{jen.If(jen.Id("v").Dot(f.Name).Dot("Value").Op("!=").Nil()).Block(checks...)}
		default:
			checks = []jen.Code{jen.If(isThere(f)).Block(checks...)}
		}
		inside = append(inside, checks...)
	}
	if d.Rest != nil && isChecked(d.Rest.Type) {
		elem := bare(d.Rest.Type).(mapping).Elem
		inside = append(inside, payload("ValidateAdditional").Call(c, jen.Id("v").Dot(d.Rest.Name), validatorOf(elem)))
	}
	if len(inside) == 0 {
		return body
	}
	body = append(body, jen.If(jen.Op("!").Add(c.Clone()).Dot("BeginObject").Call()).Block(jen.Return()))
	body = append(body, inside...)
	return append(body, c.Clone().Dot("EndObject").Call())
}

// validateSize counts the members of an object. Of one that passes over what it does not know the decoder has counted
// all that came.
func validateSize(d *structDecl) []jen.Code {
	always := 0
	var optional []jen.Code
	for _, f := range d.Fields {
		if there := isThere(f); f.Const == nil && there != nil {
			optional = append(optional, there)
		} else {
			always++
		}
	}
	var terms []jen.Code
	if always > 0 || len(optional) == 0 && d.Rest == nil {
		terms = append(terms, jen.Lit(always))
	}
	if len(optional) > 0 {
		terms = append(terms, payload("Count").Add(multiline("(", ")", optional...)))
	}
	if d.Rest != nil {
		terms = append(terms, jen.Len(jen.Id("v").Dot(d.Rest.Name)))
	}
	count := jen.Add(terms[0])
	for _, term := range terms[1:] {
		count.Op("+").Add(term)
	}
	var checks []jen.Code
	checks = append(checks, jen.Id("members").Op(":=").Add(count))
	if d.MinProperties != nil {
		checks = append(checks, payload("MinProperties").Call(jen.Id("c"), jen.Id("members"), jen.Lit(*d.MinProperties)))
	}
	if d.MaxProperties != nil {
		checks = append(checks, payload("MaxProperties").Call(jen.Id("c"), jen.Id("members"), jen.Lit(*d.MaxProperties)))
	}
	if d.Further == furtherIgnored {
		return []jen.Code{jen.If(jen.Op("!").Id("c").Dot("Received").Call()).Block(checks...)}
	}
	return checks
}

// validate checks what is at a place, of type t. into is an expression for the validator.
func validate(t typ, into *jen.Statement, p place) []jen.Code {
	var out []jen.Code
	for _, c := range checksOf(t) {
		out = append(out, c.emit(t, into.Clone(), p))
	}
	if !isCheckedInside(t) {
		return out
	}
	switch t := bare(t).(type) {
	case named:
		out = append(out, p.receiver.Clone().Dot("ValidateJSON").Call(into))
	case union:
		out = append(out, payload("ValidateUnion").Call(into, p.value))
	case slice:
		out = append(out, payload("ValidateArray").Call(into, p.value, validatorOf(t.Elem)))
	case mapping:
		out = append(out, payload("ValidateMap").Call(into, p.value, validatorOf(t.Elem)))
	case nullable:
		if canBeNil(t.Elem) {
			return append(out, jen.If(p.value.Clone().Op("!=").Nil()).Block(validate(t.Elem, into, p)...))
		}
		return append(out, jen.If(p.value.Clone().Op("!=").Nil()).Block(validate(t.Elem, into, deref(p))...))
	}
	return out
}

// deref is the place that the pointer at p points to.
func deref(p place) place {
	ptr := jen.Parens(p.value)
	return place{address: p.value, value: jen.Op("*").Add(p.value), receiver: ptr}
}

// isCheckedInside is isChecked but for the checks of t itself.
func isCheckedInside(t typ) bool { return isChecked(bare(t)) }

// emit calls the check.
func (c check) emit(t typ, into *jen.Statement, p place) jen.Code {
	value := p.value
	encoder := jen.Func().Params(jen.Id("e").Op("*").Add(payload("Encoder"))).Block(encode(bare(t), jen.Id("e"), p))
	switch c.On {
	case onLength:
		value = jen.Len(p.value)
	case onText:
		value = payload("Text").Call(encoder)
	case onWriter: // the decoder has looked at what came
		return jen.If(jen.Op("!").Id("c").Dot("Received").Call()).Block(payload(c.Func).Call(into, encoder))
	}
	var arg jen.Code
	switch a := c.Arg.(type) {
	case goConstant:
		arg = jen.Op(string(a))
	case global:
		arg = jen.Id(string(a))
	case runtimeName:
		arg = payload(string(a))
	default:
		arg = jen.Lit(a)
	}
	return payload(c.Func).Call(into, value, arg)
}

// validatorOf is a function that checks a value of type t.
func validatorOf(t typ) jen.Code {
	if u, ok := bare(t).(named); ok && len(checksOf(t)) == 0 {
		return jen.Parens(jen.Op("*").Id(u.Name)).Dot("ValidateJSON")
	}
	return jen.Func().Params(jen.Id("v").Op("*").Add(goType(t)), jen.Id("c").Op("*").Add(payload("Validator"))).Block(
		validate(t, jen.Id("c"), behind(jen.Id("v")))...)
}

func validateDefined(d *definedDecl) []jen.Code {
	if !isChecked(d.Of) {
		return nil
	}
	return validate(d.Of, jen.Id("c"), behind(jen.Id("v")))
}
