package source

import "github.com/babelqueue/bqgen/schema"

// An Outline is a value of a YAML file as its author laid it out: where it starts and how it is written. Anchors,
// aliases and merge keys stand as they are.
type Outline struct {
	Line, Column int // count from 1; Column counts characters
	Kind         OutlineKind
	Flow         bool   // in brackets
	Block        bool   // a scalar after | or >
	Plain        bool   // a scalar without quotes
	Text         string // of a scalar; of an alias, the name of its anchor
	Anchored     bool   // has an anchor or a tag
	Items        []*Outline
	Keys, Values []*Outline // of a mapping, pair by pair
}

// OutlineKind is the shape of an [Outline].
type OutlineKind int

// The kinds.
const (
	OutlineScalar OutlineKind = iota
	OutlineSequence
	OutlineMapping
	OutlineAlias
)

// ParseOutline reads the layout of a catalog's text. It does not look at the content of the catalog. When the text
// cannot be read, there are findings and no outline.
func ParseOutline(filename string, src []byte) (*Outline, schema.Diagnostics) {
	findings := &Findings{}
	r := NewReader(findings)
	p := &parser{Reporter: findings, reader: r, file: File{Name: filename, What: "the catalog", Main: true}}
	checked, ok := p.checkText(src)
	if ok {
		if root := p.parse(checked); root != nil {
			r.Places.add(root, checked)
			if findings.Errors() == 0 {
				if o := outlineOf(checked); o != nil {
					return o, nil
				}
			}
		}
	}
	return nil, findings.Diagnostics(r.Places)
}
