package schema

// An Outline is the text of a YAML file as its author laid it out: where each value starts and how it is written.
// Anchors, aliases and merge keys stand as they are.
type Outline struct {
	Line, Column int // count from 1; Column counts characters
	Kind         OutlineKind
	Flow         bool   // in brackets
	Block        bool   // a scalar after | or >
	Plain        bool   // a scalar without quotes
	Text         string // of a scalar; of an alias the name of its anchor
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

// ParseOutline reads the layout of a catalog's text. What cannot be read is in the findings, and then there is no outline. It
// does not look at what the catalog says.
func ParseOutline(filename string, src []byte) (*Outline, Diagnostics) {
	l := newLoader(filename)
	text, ok := l.checkText(src)
	if ok && l.parseYAML(text) != nil && l.errors == 0 {
		if o := outlineOf(text); o != nil {
			return o, nil
		}
	}
	return nil, NewDiagnostics(l.findings...)
}
