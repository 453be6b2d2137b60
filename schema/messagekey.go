package schema

import "strings"

// messageKey resolves key:, a JSON Pointer (RFC 6901) to a scalar property of the payload.
func (l *loader) messageKey(u *URN, n *node) {
	text, ok := l.text(n, "key")
	if !ok {
		return
	}
	u.Key = &Key{Pos: n.pos, Pointer: text}
	rest, ok := strings.CutPrefix(text, "/")
	if !ok {
		hint := "/customer_id is the property customer_id of data"
		if text != "" && !strings.HasPrefix(text, "#") && !isBlank(text) {
			hint = "write " + quote("/"+text)
		}
		l.report(n.pos, ruleMessageKey, hint, "key %s is not a JSON Pointer: it does not start with /", quote(text))
		return
	}
	s := u.Data
	for _, segment := range strings.Split(rest, "/") {
		name, ok := unescapePointer(segment)
		if !ok {
			l.report(n.pos, ruleMessageKey, "write ~ as ~0 and / as ~1", "key %s is not a JSON Pointer", quote(text))
			return
		}
		s = follow(s)
		switch {
		case s == nil || s.Kind == 0:
			return // reported
		case s.Kind != Object:
			l.report(n.pos, ruleMessageKey, "", "key %s looks for %s in type %s", quote(text), quote(name), s.Kind)
			return
		case s.GoType != nil:
			l.report(n.pos, ruleMessageKey, "", "key %s looks for %s in a type of yours, x-go-type %s.%s", quote(text), quote(name), s.GoType.Import, s.GoType.Name)
			return
		}
		p := propertyOf(s, name)
		if p == nil {
			if !l.vague[s] {
				known := lazyDictionary(s.Properties, func(p *Property) string { return p.Name })
				l.report(n.pos, ruleMessageKey, known().didYouMean(name, "declare it under properties"), "key %s: there is no property %s", quote(text), quote(name))
			}
			return
		}
		u.Key.Path = append(u.Key.Path, p)
		s = p.Schema
	}
	if s = follow(s); s != nil {
		switch {
		case s.Kind == 0:
		case s.Kind != String && s.Kind != Integer && s.Kind != Boolean:
			l.report(n.pos, ruleMessageKey, "point at a string, an integer or a boolean", "key %s is of type %s", quote(text), s.Kind)
		case s.GoType != nil:
			l.report(n.pos, ruleMessageKey, "point at a property without x-go-type", "key %s is of a type of yours, x-go-type %s.%s", quote(text), s.GoType.Import, s.GoType.Name)
		}
	}
}

// follow is Resolve for a schema that may be broken: nil when its reference leads nowhere.
func follow(s *Schema) *Schema {
	for steps := 0; s != nil && s.Kind == Ref; steps++ {
		if s.Target == nil || steps > maxRefs {
			return nil
		}
		s = s.Target.Schema
	}
	return s
}

// maxRefs ends a chain of references that runs in a circle.
const maxRefs = 10_000

func propertyOf(s *Schema, name string) *Property {
	for _, p := range s.Properties {
		if p.Name == name {
			return p
		}
	}
	return nil
}
