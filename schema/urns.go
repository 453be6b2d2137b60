package schema

// loadTypes reads all shared types of the catalog, in its order.
func (l *loader) loadTypes() {
	s := l.section(l.main, typesSection)
	if s == nil || s.node == nil {
		return
	}
	for _, p := range s.node.pairs {
		l.namedType(s, p, &scope{file: l.main})
	}
}

func (l *loader) loadURNs(n *node) {
	if !l.isMapping(n, "urns") {
		return
	}
	l.urns = make(map[string]*URN, len(n.pairs))
	l.urnsVague = n.flawed
	l.queueNames = lazyDictionary(l.catalog.Queues, func(q *Queue) string { return q.Name })
	names := goNames{}
	for _, p := range n.pairs {
		u := &URN{URN: p.key.text, Pos: p.key.pos}
		l.notBlank(u.Pos, u.URN, "a URN")
		l.urns[u.URN] = u
		l.catalog.URNs = append(l.catalog.URNs, u)
		l.loadURN(u, p.value, names)
	}
	l.urnNames = lazyDictionary(l.catalog.URNs, func(u *URN) string { return u.URN })
}

func (l *loader) loadURN(u *URN, n *node, names goNames) {
	m, ok := l.mapping(n, "URN "+quote(u.URN), keysOf("queue", "data"), keysOf("name", "summary", "description", "key",
		"deprecated", "publishers", "consumers", "examples"))
	if !ok {
		return
	}
	if q := m.get("queue"); q != nil {
		u.Queue = l.queueOf(q)
	}
	u.GoName, u.GoNamePos = l.goName(m, names)
	u.Summary = l.optionalText(m, "summary")
	u.Description = l.optionalText(m, "description")
	u.Publishers = l.names(m, "publishers")
	u.Consumers = l.names(m, "consumers")
	if d := m.get("deprecated"); d != nil {
		l.deprecation(u, d)
	}
	p := payload{urn: u, key: m.get("key"), examples: m.get("examples")}
	if d := m.get("data"); d != nil {
		p.root = &root{scope: &scope{file: l.main, owner: u, defs: newSection(l.main, defsSection, nil)}}
		l.readRoot(p.root, d, "data of "+quote(u.URN), atData)
	}
	l.payload = append(l.payload, p)
}

func (l *loader) queueOf(n *node) *Queue {
	name, ok := l.reference(n, "queue")
	if !ok || l.queues == nil {
		return nil
	}
	q := l.queues[name]
	if q == nil && !l.queuesVague {
		l.report(n.pos, ruleNoQueue, l.queueNames().didYouMean(name, "declare it under queues"), "there is no queue %s", quote(name))
	}
	return q
}

func (l *loader) deprecation(u *URN, n *node) {
	m, ok := l.mapping(n, "deprecated", nil, keysOf("use", "reason"))
	if !ok {
		return
	}
	u.Deprecated = &Deprecation{Pos: n.pos, Reason: l.optionalText(m, "reason")}
	use := m.get("use")
	if use == nil {
		return
	}
	name, ok := l.reference(use, "use")
	if !ok {
		return
	}
	l.later = append(l.later, func() { // the successor may stand further down
		next := l.urns[name]
		switch {
		case next == u:
			l.report(use.pos, ruleSuccessor, "", "URN %s is its own successor", quote(name))
		case next == nil && l.urnsVague:
		case next == nil:
			l.report(use.pos, ruleSuccessor, l.urnNames().didYouMean(name, "declare it under urns"), "there is no URN %s", quote(name))
		}
		u.Deprecated.Use = next
	})
}
