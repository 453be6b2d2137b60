package schema

// examples checks each example as a payload of its URN.
func (l *loader) examples(p payload, j *judge) {
	if !l.isList(p.examples, "examples") {
		return
	}
	for _, n := range p.examples.items {
		if n.flawed {
			continue
		}
		if n.kind != mappingNode {
			l.report(n.pos, ruleWrongType, "", "an example must be a mapping, this is %s", n.describe())
			continue
		}
		// What was reported inside is not judged again; all else is.
		v := draftValue{node: n, rule: ruleExample, what: "example"}
		v.JSON, v.value = l.jsonValue(nil, n, v)
		j.checkPayload(p.root, v)
		p.urn.Examples = append(p.urn.Examples, Example{Pos: n.pos, JSON: v.JSON})
	}
}
