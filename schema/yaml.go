package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"

	"gopkg.in/yaml.v3"
)

// parseYAML turns the text of a catalog into nodes. It is the only place that knows the YAML library, which
// reads more than bqgen wants: the checks it does not make (duplicate keys, anchors that contain themselves,
// alias bombs, further documents, tags) are made on the way. Nil means that there is nothing to go on with.
func (l *loader) parseYAML(text []byte) *node {
	if len(bytes.TrimSpace(text)) == 0 {
		text = nil // the library has its own opinion of a file that is only tabs
	}
	l.end = endOf(text)
	dec := yaml.NewDecoder(bytes.NewReader(text))
	doc, err := decodeYAML(dec)
	if err == io.EOF || err == nil && isEmptyDocument(doc) && !moreYAML(dec) {
		hint := "`bqgen init` writes one to start from"
		if l.file != l.main.name {
			hint = "put types or $defs into it"
		}
		l.report(l.start(), ruleEmpty, hint, "%s is empty", l.what)
		return nil
	}
	if err != nil {
		l.syntaxError(text, dec, err)
		return nil
	}
	if !isEmptyDocument(doc) {
		// Comments or an end marker may follow, another document may not.
		if next, err := decodeYAML(dec); err == nil {
			l.report(l.yamlPos(next), ruleDocuments, "a catalog is one document: move this one to a file of its own",
				"a second YAML document starts here")
		} else if err != io.EOF {
			l.syntaxError(text, dec, err)
		}
	} else {
		l.report(l.start(), ruleDocuments, "remove the first ---", "the first YAML document is empty and another follows")
		return nil
	}
	c := converter{loader: l, done: map[*yaml.Node]*node{}}
	root := c.convert(doc.Content[0], 1)
	l.catalog.places.add(root)
	l.readIgnores(text)
	return root
}

func (l *loader) start() Pos { return Pos{File: l.file, Line: 1, Column: 1} }

// yamlPos is where a node stands. The library puts a value that is left out behind the last line.
func (l *loader) yamlPos(y *yaml.Node) Pos {
	at := mark{y.Line, y.Column}.within(l.end)
	return Pos{File: l.file, Line: at.line, Column: at.column}
}

// decodeYAML reads the next document. A panic in the library is a syntax error like others.
func decodeYAML(dec *yaml.Decoder) (doc *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	doc = new(yaml.Node)
	if err := dec.Decode(doc); err != nil {
		return nil, err
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, errors.New("yaml: not a document")
	}
	return doc, nil
}

func isEmptyDocument(doc *yaml.Node) bool {
	c := doc.Content[0]
	return c.Kind == yaml.ScalarNode && c.Value == "" && c.Style == 0
}

func moreYAML(dec *yaml.Decoder) bool {
	_, err := decodeYAML(dec)
	return err != io.EOF
}

// syntaxError reports what the library could not read, at the place where it stopped.
func (l *loader) syntaxError(text []byte, dec *yaml.Decoder, err error) {
	stop, opened := yamlMarks(dec)
	l.reportSyntax(text, err.Error(), stop, opened)
}

// yamlMarks asks the library where it stopped and where the construct began that it was in. Its error text
// has no column, often no line, and for errors of its parser the line above the right one. The exact marks are
// in fields it does not export; reading those by name is safe because names that a later version lacks are just
// not found, and then the line in the text has to do.
func yamlMarks(dec *yaml.Decoder) (stop, opened mark) {
	outer := field(reflect.ValueOf(dec), "parser")
	inner := field(outer, "parser")
	stop = readMark(field(inner, "problem_mark"))
	opened = readMark(field(inner, "context_mark"))
	if problem := field(inner, "problem"); !problem.IsValid() || problem.Len() == 0 {
		// Found after parsing, as an alias to no anchor: the event at hand is the culprit.
		stop, opened = readMark(field(field(outer, "event"), "start_mark")), mark{}
	}
	return stop, opened
}

func field(v reflect.Value, name string) reflect.Value {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.FieldByName(name)
}

func readMark(v reflect.Value) mark {
	line, column := field(v, "line"), field(v, "column")
	if !line.IsValid() || !column.IsValid() || !line.CanInt() || !column.CanInt() {
		return mark{}
	}
	return mark{line: int(line.Int()) + 1, column: int(column.Int()) + 1}
}

const (
	// maxDepth is how deeply values may be nested.
	maxDepth = 256
	// maxAliasNodes is how many values aliases may stand for, all together.
	maxAliasNodes = 200_000
)

// A converter takes over the library's nodes.
type converter struct {
	*loader
	done map[*yaml.Node]*node // anchored nodes; nil while under way
}

func (c *converter) convert(y *yaml.Node, depth int) *node {
	if y.Kind == yaml.AliasNode {
		return c.alias(y, depth)
	}
	n := &node{pos: c.yamlPos(y), size: 1, depth: 1}
	if depth > maxDepth {
		c.report(n.pos, ruleTooDeep, "", "nested more than %d levels deep", maxDepth)
		n.flawed = true
		return n
	}
	if y.Anchor != "" {
		c.done[y] = nil
		defer func() { c.done[y] = n }()
	}
	switch y.Kind {
	case yaml.ScalarNode:
		n.kind, n.text, n.plain = scalarNode, y.Value, y.Style&^yaml.TaggedStyle == 0
	case yaml.SequenceNode:
		n.kind = sequenceNode
		for _, item := range y.Content {
			n.items = append(n.items, n.add(c.convert(item, depth+1)))
		}
	case yaml.MappingNode:
		n.kind = mappingNode
		for i := 0; i+1 < len(y.Content); i += 2 {
			key := n.add(c.key(y.Content[i], depth+1))
			value := n.add(c.convert(y.Content[i+1], depth+1))
			n.pairs = append(n.pairs, pair{key, value})
		}
		before := len(c.findings)
		c.settleKeys(n)
		n.flawed = n.flawed || len(c.findings) > before
	}
	if y.Style&yaml.TaggedStyle != 0 {
		c.tag(y, n)
	}
	return n
}

// key takes over a key, which must be a scalar. What else it holds is not looked at.
func (c *converter) key(y *yaml.Node, depth int) *node {
	if y.Kind != yaml.MappingNode && y.Kind != yaml.SequenceNode {
		return c.convert(y, depth)
	}
	n := &node{pos: c.yamlPos(y), size: 1, depth: 1, flawed: true}
	c.report(n.pos, ruleBadKey, "quote a key that starts with a bracket", "a key must be text")
	return n
}

// add counts a child.
func (n *node) add(child *node) *node {
	n.flawed = n.flawed || child.flawed
	n.size += child.size
	n.depth = max(n.depth, child.depth+1)
	return child
}

// alias gives the anchored value a second place.
func (c *converter) alias(y *yaml.Node, depth int) *node {
	pos := c.yamlPos(y)
	bad := &node{pos: pos, size: 1, depth: 1, flawed: true}
	target, met := c.done[y.Alias]
	switch {
	case !met:
		return bad // the anchor is inside something that was reported
	case target == nil:
		c.report(pos, ruleCycle, "write the value out where it is needed", "anchor %s contains itself", quote(y.Value))
		return bad
	case depth+target.depth-1 > maxDepth:
		c.report(pos, ruleTooDeep, "", "nested more than %d levels deep through alias %s", maxDepth, quote(y.Value))
		return bad
	case c.copied > maxAliasNodes:
		return bad // reported
	}
	if c.copied += target.size; c.copied > maxAliasNodes {
		c.report(pos, ruleAliases, "use shared types in place of anchors",
			"aliases stand for more than %d values from here on", maxAliasNodes)
		return bad
	}
	if target.kind != scalarNode {
		return target // what is wrong in it is wrong where it stands, once for all aliases
	}
	again := *target
	again.pos = pos
	return &again
}

// tag accepts the tags that say what is so anyhow, and !!str, which is a way to quote.
func (c *converter) tag(y *yaml.Node, n *node) {
	switch {
	case y.Tag == "!!str" && n.kind == scalarNode:
		n.plain = false
	case y.Tag == "!!map" && n.kind == mappingNode, y.Tag == "!!seq" && n.kind == sequenceNode:
	default:
		c.report(n.pos, ruleTag, "remove the tag", "YAML tag %s is not supported", quote(y.Tag))
		n.kind, n.flawed = badNode, true
	}
}

// outlineOf takes over the library's nodes as they were written; the text was read before. Nil is a text that is too
// deep or is not one document.
func outlineOf(text []byte) *Outline {
	doc, err := decodeYAML(yaml.NewDecoder(bytes.NewReader(text)))
	if err != nil {
		return nil
	}
	return outline(doc.Content[0])
}

func outline(y *yaml.Node) *Outline {
	o := &Outline{
		Line: y.Line, Column: y.Column, Text: y.Value, Anchored: y.Anchor != "" || y.Style&yaml.TaggedStyle != 0,
		Flow:  y.Style&yaml.FlowStyle != 0,
		Block: y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0,
		Plain: y.Style&^yaml.TaggedStyle == 0,
	}
	switch y.Kind {
	case yaml.AliasNode:
		o.Kind = OutlineAlias
	case yaml.SequenceNode:
		o.Kind = OutlineSequence
		for _, item := range y.Content {
			o.Items = append(o.Items, outline(item))
		}
	case yaml.MappingNode:
		o.Kind = OutlineMapping
		for i := 0; i+1 < len(y.Content); i += 2 {
			o.Keys = append(o.Keys, outline(y.Content[i]))
			o.Values = append(o.Values, outline(y.Content[i+1]))
		}
	}
	return o
}
