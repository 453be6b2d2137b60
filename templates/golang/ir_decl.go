package golang

// A decl is a declaration with its methods.
type decl interface{ isDecl() }

// A structDecl is an object.
type structDecl struct {
	Name   string
	Doc    doc
	Fields []field

	// Further is what becomes of members that are no field.
	Further further
	Rest    *field // of furtherKept: the map of them; its Type is a mapping

	MinProperties, MaxProperties *int
}

// further says what becomes of the members of an object that are none of its fields.
type further int

const (
	furtherIgnored further = iota
	furtherRefused
	furtherKept
)

// A field is a member of an object.
type field struct {
	Name     string // empty when Const is set: there is nothing to choose
	Doc      doc
	Type     typ
	Member   string // its name in JSON
	Tag      string // the value of its json tag; empty for none
	Presence presence
	Const    *literal // the only value that the member, which is required, can have
}

// A literal is a value of the catalog.
type literal struct {
	JSON string
	Of   builtin // string, int64, float64 or bool
	Text string  // of a string
}

// A presence says how a field tells that its member is absent.
type presence int

const (
	required   presence = iota // it never is
	pointer                    // nil pointer
	nilValue                   // nil: a slice, a map, a union
	emptyJSON                  // no text
	zeroTime                   // zero
	threeState                 // a bq.Optional that is zero
)

// An enumDecl is a string or integer type with a closed set of values.
type enumDecl struct {
	Name      string
	Doc       doc
	Of        builtin
	Values    string // the function that lists them
	Constants []constant
}

type constant struct{ Name, Value string }

// A definedDecl is a named type that is no struct and no enum.
type definedDecl struct {
	Name string
	Doc  doc
	Of   typ
}

// An aliasDecl is another name for a type that has its methods elsewhere.
type aliasDecl struct {
	Name string
	Doc  doc
	Of   typ
}

// A unionDecl is a sealed interface and the function that reads it.
type unionDecl struct {
	Name          string
	Doc           doc
	Marker        string // the method that seals it
	Decode        string // the function
	Discriminator string
	Branches      []branch
	Unknown       string // the type that keeps what has another discriminator; empty when that is refused
}

type branch struct{ Value, Type string }

// A patternDecl is a regular expression.
type patternDecl struct{ Name, Text string }

func (*structDecl) isDecl()  {}
func (*enumDecl) isDecl()    {}
func (*definedDecl) isDecl() {}
func (*aliasDecl) isDecl()   {}
func (*unionDecl) isDecl()   {}
func (*patternDecl) isDecl() {}
