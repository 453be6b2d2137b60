package schema

// A payload is what remains to be checked of a URN when all types are known.
type payload struct {
	urn      *URN
	root     *root // nil when the URN has no data
	key      *node
	examples *node
}

func (l *loader) checkPayloads() {
	var j *judge
	for _, p := range l.payload {
		if p.root == nil {
			continue
		}
		if s := follow(p.root.schema); s != nil && s.Kind != 0 && s.Kind != Object {
			p.root.bad = true
			l.report(p.root.schema.Pos, ruleDataObject, "type: object", "data of %s is of type %s, a payload is an object", quote(p.urn.URN), s.Kind)
			continue
		}
		if p.key != nil {
			l.messageKey(p.urn, p.key)
		}
		if p.examples != nil {
			if j == nil {
				j = newJudge(l)
			}
			l.examples(p, j)
		}
	}
}
