package schema

import "math/big"

// Kind is the JSON type of a schema.
type Kind int

// The kinds of schema. A Ref takes its kind from the type it points at.
const (
	Object Kind = iota + 1
	Array
	String
	Integer
	Number
	Boolean
	Ref
	Any   // free-form, written {} or true: any JSON value, null among them
	Union // oneOf with a discriminating const: one of several objects
)

// Format narrows a string, an integer or a number.
type Format int

// The formats.
const (
	NoFormat Format = iota

	// Of strings.
	DateTime  // date-time: RFC 3339, without leap seconds
	UUID      // uuid: RFC 4122 text form
	Date      // date: RFC 3339 full-date
	TimeOfDay // time: RFC 3339 full-time, with an offset
	Duration  // duration: ISO 8601 as in RFC 3339 appendix A
	Byte      // byte: bytes in base64, standard alphabet, padded
	Decimal   // decimal: an exact decimal number in text, such as 99.90
	URI       // uri: RFC 3986, absolute
	Email     // email: RFC 5321 mailbox
	Hostname  // hostname: RFC 1123
	IPv4      // ipv4: dotted quad
	IPv6      // ipv6: RFC 4291 text form, without a zone

	// Of integers; without one an integer is an Int64.
	Int32
	Int64
	Uint64

	// Of numbers; without one a number is a Double.
	Float
	Double
)

// A Schema is the shape of a payload or a part of one. Which fields are set goes by Kind; allOf is merged, so
// there is no trace of it.
type Schema struct {
	Pos         Pos
	Kind        Kind
	Nullable    bool // null is valid as well; a Ref's target may allow it on top, see [Schema.AllowsNull]
	Title       string
	Description string
	Deprecated  bool
	Sensitive   string // x-gdpr-sensitive: the category, "true" without one, "" when it is not sensitive
	GoName      string // x-go-name: on a property's schema the field's name, on a named type's the Go type's; else empty
	GoNamePos   Pos
	GoType      *GoType // x-go-type: the type that stands in for the generated one, or nil
	Default     *Literal
	Examples    []Literal

	Const *Literal    // String, Integer, Number, Boolean: the only valid value
	Enum  []EnumValue // String, Integer: the valid values beside null; nil when any will do

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
	Format Format

	// String.
	MinLength *int   // code points
	MaxLength *int   // code points
	Pattern   string // RE2, found anywhere in the text unless anchored; empty for none

	// Integer, Number. A bound may lie outside of what the type can hold.
	Minimum          *Num
	Maximum          *Num
	ExclusiveMinimum *Num
	ExclusiveMaximum *Num
	MultipleOf       *Num // greater than zero

	// Union.
	Discriminator string   // the member whose const tells the branches apart
	Branches      []Branch // at least two, or one with KeepUnknown
	KeepUnknown   bool     // x-unknown-branch: keep. An unknown value of the discriminator is kept as raw JSON, else refused

	// Ref.
	Target *Type
}

// Additional says what becomes of members that Properties does not list.
type Additional int

// What additionalProperties says.
const (
	AdditionalIgnored   Additional = iota // absent: they are valid and passed over
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

// An EnumValue is one of the values that an enum allows.
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

// A Literal is a JSON value in the catalog.
type Literal struct {
	Pos  Pos
	JSON []byte // compact, members in the file's order, numbers digit by digit; an integer's value in canonical digits
}

// A Num is a number in the catalog, exactly as it is.
type Num struct {
	Pos  Pos
	Text string // as JSON writes it
}

// Rat is the number's value. Its exponent is small enough to be worked with.
func (n *Num) Rat() *big.Rat {
	r, ok := new(big.Rat).SetString(n.Text)
	if !ok {
		panic("schema: not a number: " + n.Text)
	}
	return r
}

// A GoType is a type of the user's that reads and writes its own JSON: it has to implement json.Marshaler and
// json.Unmarshaler.
type GoType struct {
	Pos    Pos
	Import string // import path, such as github.com/shopspring/decimal
	Name   string // exported, such as Decimal
}

// Resolve follows references until a schema that is not one.
func (s *Schema) Resolve() *Schema {
	for s.Kind == Ref {
		s = s.Target.Schema
	}
	return s
}

// AllowsNull reports whether null is valid, here or where a reference leads.
func (s *Schema) AllowsNull() bool {
	for s.Kind == Ref && !s.Nullable {
		s = s.Target.Schema
	}
	return s.Nullable || s.Kind == Any
}
