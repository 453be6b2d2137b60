package schema

// A payload is what remains to be checked of a URN when all types are known.
type payload struct {
	urn      *URN
	root     *root // nil when the URN has no data
	key      *node
	examples *node
}

func (l *loader) checkPayloads() {
	for _, p := range l.payload {
		if p.root == nil {
			continue
		}
		p.urn.Data = p.root.schema
		if !l.isPayload(p) {
			p.root.bad = true
			continue
		}
		if p.key != nil {
			l.messageKey(p.urn, p.key)
		}
	}
	j := newJudge(l)
	j.checkClaims()
	for _, p := range l.payload {
		if p.root != nil && p.examples != nil {
			l.examples(p, j)
		}
	}
}

// isPayload reports data that is no object. Its schema may have been reported before.
func (l *loader) isPayload(p payload) bool {
	data := p.root.schema
	s := follow(data)
	what := "data of " + quote(p.urn.URN)
	switch {
	case s == nil, s.Kind == 0, l.unsure[s] && s.Kind != Object:
	case s.Kind == Union:
		l.report(data.Pos, ruleDataObject, "give each form a URN of its own, or make it a property", "%s is a oneOf, a payload is one object", what)
		return false
	case s.Kind == Any:
		l.report(data.Pos, ruleDataObject, "type: object", "%s has no type, a payload is an object", what)
		return false
	case s.Kind != Object:
		l.report(data.Pos, ruleDataObject, "type: object", "%s is of type %s, a payload is an object", what, s.Kind)
		return false
	case data.AllowsNull():
		l.report(data.Pos, ruleDataObject, `take "null" out of the type`, "%s may be null, a payload is an object", what)
		return false
	}
	return true
}
