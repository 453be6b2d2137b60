package schema

import (
	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/internal/text"
)

// A Schema is the shape of a payload or a part of one. Kind decides which fields are set. allOf is merged, so there is
// no trace of it.
type Schema struct {
	Pos         Pos
	Kind        Kind
	Nullable    bool // null is valid as well; a Ref's target may allow it too, see [Schema.AllowsNull]
	Title       string
	Description string
	Deprecated  bool
	Sensitive   string // x-gdpr-sensitive: the category, "true" without one, "" when it is not sensitive
	GoName      string // x-go-name: on a property's schema the field's name, on a named type's the Go type's; else empty
	GoNamePos   Pos
	GoType      *GoType // x-go-type: the type that replaces the generated one, or nil
	Default     *Literal
	Examples    []Literal
	PassedOn    []PassedOn // keywords that mean nothing to bqgen, sorted by name

	Const *Literal    // String, Integer, Number, Boolean: the only valid value
	Enum  []EnumValue // String, Integer: the valid values besides null; nil for any

	// Object. A map is an Object with an AdditionalSchema and no Properties.
	Properties       []*Property
	Additional       Additional
	AdditionalSchema *Schema // what further members must be; nil with AdditionalKept: any value
	MinProperties    *int
	MaxProperties    *int

	// Array.
	Items       *Schema
	MinItems    *int
	MaxItems    *int
	UniqueItems bool

	// String, Integer, Number.
	Format      Format
	OtherFormat string // a format that bqgen does not know, and does not check; empty for none

	// String.
	MinLength *int   // code points
	MaxLength *int   // code points
	Pattern   string // RE2, found anywhere in the text unless anchored; empty for none

	// Integer, Number. A bound may lie outside the range of the Go type.
	Minimum          *Num
	Maximum          *Num
	ExclusiveMinimum *Num
	ExclusiveMaximum *Num
	MultipleOf       *Num // greater than zero

	// Rules limit values further, where Go has no type for it. They hold for the JSON of the value.
	Rules []Rule

	// Union.
	Discriminator string   // the member whose const tells the branches apart
	Branches      []Branch // at least two, or one with KeepUnknown
	KeepUnknown   bool     // x-unknown-branch: keep. Other values of the discriminator are kept as raw JSON, else refused

	// Ref.
	Target *Type
}

// Additional is the treatment of members that Properties does not list.
type Additional int

// The values of additionalProperties.
const (
	AdditionalIgnored   Additional = iota // absent: they are valid and ignored
	AdditionalForbidden                   // false: they are not valid
	AdditionalKept                        // true or a schema: they are kept
)

// A Property is a member of an object.
type Property struct {
	Name     string
	Pos      Pos
	Required bool
	Schema   *Schema
}

// An EnumValue is a value that an enum allows.
type EnumValue struct {
	Value   string // the text; of an integer its canonical decimal digits
	Integer bool
	Pos     Pos
}

// A Branch is one of the objects that a Union can be.
type Branch struct {
	Pos    Pos
	Value  string  // of the discriminator
	Schema *Schema // an Object or a Ref to one; it has the discriminator as a required property with a const
}

// A Rule is JSON Schema that no other field of a Schema can say: not, contains, a oneOf whose branches nothing tells
// apart. A JSON Schema validator checks it.
type Rule struct {
	Pos    Pos
	Schema jsonobj.Object // the value of a $ref is a *Type
}

// A PassedOn is a keyword that means nothing to bqgen and that documentation and exports show: an x- keyword of another
// tool, or one of the annotations of JSON Schema.
type PassedOn struct {
	Name  string
	Value Literal
}

// A Literal is a JSON value in the catalog.
type Literal struct {
	Pos  Pos
	JSON []byte // compact, members in the file's order, numbers as written; an integer in canonical digits
}

// A GoType is a Go type of the user. It must implement json.Marshaler and json.Unmarshaler.
type GoType struct {
	Pos    Pos
	Import string // import path, such as github.com/shopspring/decimal
	Name   string // exported, such as Decimal
}

// Resolve follows references to the first schema that is not one.
func (s *Schema) Resolve() *Schema {
	for s.Kind == Ref {
		s = s.Target.Schema
	}
	return s
}

// AllowsNull reports whether null is valid, here or at the target of a reference.
func (s *Schema) AllowsNull() bool {
	for s.Kind == Ref && !s.Nullable {
		s = s.Target.Schema
	}
	return s.Nullable || s.Kind == Any
}

// Property returns the property with this name, or nil.
func (s *Schema) Property(name string) *Property {
	for _, p := range s.Properties {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// JSON returns the value as JSON.
func (v EnumValue) JSON() string {
	if v.Integer {
		return v.Value
	}
	return string(text.AppendJSON(nil, v.Value))
}
