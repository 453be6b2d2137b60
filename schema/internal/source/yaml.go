package source

// This is the only file that imports a YAML library, so that changing it is a change of one file.
//
// gopkg.in/yaml.v3 is archived. It stays because it is complete for this use, its behaviour is pinned by the tests of
// this package, and it has no known fault that the checks here do not catch. Its successor is go.yaml.in/yaml. A change
// to its version 4 would bring errors with exported marks, so that yamlMarks, which reads them by reflection, could go;
// and fixes. It would also bring new error texts, which syntaxHint looks at, and its own limits on depth and aliases.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// parse turns the text of a file into nodes. The library accepts more than bqgen does; the checks that it does not make
// (duplicate keys, anchors that contain themselves, alias bombs, further documents, tags) are made on the way.
func (p *parser) parse(src []byte) *Node {
	if len(bytes.TrimSpace(src)) == 0 {
		src = nil // the library has its own opinion of a file of tabs only
	}
	p.end = endOf(src)
	dec := yaml.NewDecoder(bytes.NewReader(src))
	doc, err := decodeYAML(dec)
	if err == io.EOF || err == nil && isEmptyDocument(doc) && !moreYAML(dec) {
		hint := "`bqgen init` writes one to start from"
		if !p.file.Main {
			hint = "put types or $defs into it"
		}
		p.Report(p.start(), schema.RuleEmpty, hint, "%s is empty", p.file.What)
		return nil
	}
	if err != nil {
		p.syntaxError(src, dec, err)
		return nil
	}
	if isEmptyDocument(doc) {
		p.Report(p.start(), schema.RuleDocuments, "remove the first ---",
			"the first YAML document is empty and another follows")
		return nil
	}
	// Comments or an end marker may follow, another document may not.
	if next, err := decodeYAML(dec); err == nil {
		p.Report(p.posOf(next), schema.RuleDocuments, "a catalog is one document: move this one to a file of its own",
			"a second YAML document starts here")
	} else if err != io.EOF {
		p.syntaxError(src, dec, err)
	}
	c := converter{parser: p, done: map[*yaml.Node]*Node{}}
	return c.convert(doc.Content[0], 1)
}

// posOf returns where a node stands. The library puts a value that is left out behind the last line.
func (p *parser) posOf(y *yaml.Node) schema.Pos {
	return p.pos(mark{y.Line, y.Column}.within(p.end))
}

// decodeYAML reads the next document. A panic in the library is a syntax error like any other.
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

// syntaxError reports text that the library could not read, at the place where it stopped.
func (p *parser) syntaxError(src []byte, dec *yaml.Decoder, err error) {
	stop, opened := yamlMarks(dec)
	p.reportSyntax(src, err.Error(), stop, opened)
}

// yamlMarks returns where the library stopped and where the construct began that it was reading. Its error text has no
// column, often no line, and for errors of its parser the line above the right one. The exact marks are in fields that
// it does not export. Reading those by name is safe: a name that a later version lacks is not found, and then the line
// in the text is used.
func yamlMarks(dec *yaml.Decoder) (stop, opened mark) {
	outer := fieldOf(reflect.ValueOf(dec), "parser")
	inner := fieldOf(outer, "parser")
	stop = readMark(fieldOf(inner, "problem_mark"))
	opened = readMark(fieldOf(inner, "context_mark"))
	if problem := fieldOf(inner, "problem"); !problem.IsValid() || problem.Len() == 0 {
		// Found after parsing, as an alias without an anchor is: the current event is the culprit.
		stop, opened = readMark(fieldOf(fieldOf(outer, "event"), "start_mark")), mark{}
	}
	return stop, opened
}

func fieldOf(v reflect.Value, name string) reflect.Value {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.FieldByName(name)
}

func readMark(v reflect.Value) mark {
	line, column := fieldOf(v, "line"), fieldOf(v, "column")
	if !line.IsValid() || !column.IsValid() || !line.CanInt() || !column.CanInt() {
		return mark{}
	}
	return mark{line: int(line.Int()) + 1, column: int(column.Int()) + 1}
}

const (
	// MaxDepth is how deeply values may be nested.
	MaxDepth = 256
	// maxAliasNodes is the number of values that aliases may stand for, all together. Long text counts as several.
	maxAliasNodes = 200_000
	sizeOfText    = 100 // bytes of a text that count as one more value
)

// A converter turns the library's nodes into ours.
type converter struct {
	*parser
	done map[*yaml.Node]*Node // anchored nodes; nil while they are being converted
}

func (c *converter) convert(y *yaml.Node, depth int) *Node {
	if y.Kind == yaml.AliasNode {
		return c.alias(y, depth)
	}
	n := &Node{Pos: c.posOf(y), size: 1, depth: 1}
	if depth > MaxDepth {
		c.Report(n.Pos, schema.RuleTooDeep, "", "nested more than %d levels deep", MaxDepth)
		n.Doubt = trust.Partial
		return n
	}
	if y.Anchor != "" {
		c.done[y] = nil
		defer func() { c.done[y] = n }()
	}
	switch y.Kind {
	case yaml.ScalarNode:
		n.Kind, n.Text, n.Plain = Scalar, y.Value, y.Style&^yaml.TaggedStyle == 0
		n.size += int32(len(n.Text) / sizeOfText)
	case yaml.SequenceNode:
		n.Kind = Sequence
		for _, item := range y.Content {
			n.Items = append(n.Items, n.add(c.convert(item, depth+1)))
		}
	case yaml.MappingNode:
		c.mapping(n, y, depth)
	}
	if y.Style&yaml.TaggedStyle != 0 {
		c.tag(y, n)
	}
	return n
}

func (c *converter) mapping(n *Node, y *yaml.Node, depth int) {
	n.Kind = Mapping
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := n.add(c.key(y.Content[i], depth+1))
		value := n.add(c.convert(y.Content[i+1], depth+1))
		if value.IsText("") {
			value.Comment = commentOf(y.Content[i], y.Content[i+1])
		}
		n.Pairs = append(n.Pairs, Pair{key, value})
	}
	before := c.Errors()
	c.resolveKeys(n)
	if c.Errors() > before {
		n.Doubt |= trust.Partial
	}
}

// commentOf returns the comment behind a key whose value was left out, when it starts with # and no blank, as the
// unquoted #/types/NAME does.
func commentOf(key, value *yaml.Node) string {
	for _, comment := range []string{key.LineComment, value.LineComment} {
		if rest, ok := strings.CutPrefix(comment, "#"); ok && rest != "" && !strings.ContainsAny(rest[:1], " \t#!") {
			line, _, _ := strings.Cut(comment, "\n")
			return strings.TrimRight(line, " \t\r")
		}
	}
	return ""
}

// key converts a key, which must be a scalar. The inside of another key is not looked at.
func (c *converter) key(y *yaml.Node, depth int) *Node {
	if y.Kind != yaml.MappingNode && y.Kind != yaml.SequenceNode {
		return c.convert(y, depth)
	}
	n := &Node{Pos: c.posOf(y), size: 1, depth: 1, Doubt: trust.Partial}
	c.Report(n.Pos, schema.RuleBadKey, "quote a key that starts with a bracket", "a key must be text")
	return n
}

// add counts a child.
func (n *Node) add(child *Node) *Node {
	n.Doubt |= child.Doubt
	n.size += child.size
	n.depth = max(n.depth, child.depth+1)
	return child
}

// alias returns the anchored value for a second place.
func (c *converter) alias(y *yaml.Node, depth int) *Node {
	pos := c.posOf(y)
	bad := &Node{Pos: pos, size: 1, depth: 1, Doubt: trust.Partial}
	target, met := c.done[y.Alias]
	switch {
	case !met:
		return bad // the anchor is inside something that was reported
	case target == nil:
		c.Report(pos, schema.RuleCycle, "write the value out where it is needed",
			"anchor %s contains itself", text.Quote(y.Value))
		return bad
	case depth+int(target.depth)-1 > MaxDepth:
		c.Report(pos, schema.RuleTooDeep, "",
			"nested more than %d levels deep through alias %s", MaxDepth, text.Quote(y.Value))
		return bad
	case c.reader.copied > maxAliasNodes:
		return bad // reported
	}
	if c.reader.copied += int(target.size); c.reader.copied > maxAliasNodes {
		c.Report(pos, schema.RuleAliases, "use shared types instead of anchors",
			"aliases stand for more than %d values from here on", maxAliasNodes)
		return bad
	}
	if target.Kind != Scalar {
		return target // a finding inside is reported once, where it stands, for all aliases
	}
	again := *target
	again.Pos = pos
	return &again
}

// tag accepts the tags that change nothing, and !!str, which is a way to quote.
func (c *converter) tag(y *yaml.Node, n *Node) {
	switch {
	case y.Tag == "!!str" && n.Kind == Scalar:
		n.Plain = false
	case y.Tag == "!!map" && n.Kind == Mapping, y.Tag == "!!seq" && n.Kind == Sequence:
	default:
		c.Report(n.Pos, schema.RuleTag, "remove the tag", "YAML tag %s is not supported", text.Quote(y.Tag))
		n.Kind, n.Doubt = Bad, n.Doubt|trust.Partial
	}
}

// outlineOf converts the library's nodes as they were written. The text was read before. It returns nil for a text that
// is too deep or is not one document.
func outlineOf(src []byte) *Outline {
	doc, err := decodeYAML(yaml.NewDecoder(bytes.NewReader(src)))
	if err != nil {
		return nil
	}
	return outline(doc.Content[0])
}

func outline(y *yaml.Node) *Outline {
	o := &Outline{
		Line: y.Line, Column: y.Column, Text: y.Value,
		Anchored: y.Anchor != "" || y.Style&yaml.TaggedStyle != 0,
		Flow:     y.Style&yaml.FlowStyle != 0,
		Block:    y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0,
		Plain:    y.Style&^yaml.TaggedStyle == 0,
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
