package golang

// A decl is a declaration with its methods.
type decl interface{ isDecl() }

// A structDecl is an object.
type structDecl struct {
	Name   string
	Doc    doc
	Fields []field

	// Further is what becomes of members without a field.
	Further further
	Rest    *rest // only with furtherKept

	Size      *sizeLimits // of the object; nil for none
	Rules     goExpr      // the variable with the rules of the object; empty for none
	IsChecked bool        // it has ValidateJSON
}

// further says what becomes of the members of an object that have no field.
type further int

const (
	furtherIgnored further = iota
	furtherRefused
	furtherKept
)

// A rest is the field with the members that have none of their own.
type rest struct {
	Name string
	Doc  doc
	Elem typ // of the map
}

// sizeLimits are those on the number of an object's members.
type sizeLimits struct {
	Min, Max       int // 0 and -1 for none
	HasMin, HasMax bool
	Fixed          int // members that are always present
}

// A field is a member of an object.
type field struct {
	Name     string // empty when Const is set: there is nothing to choose
	Doc      doc
	Type     typ
	Member   string // its name in JSON
	Tag      string // the value of its json tag; empty for none
	Presence presence
	Const    *constField // the member, which is required, has only one value
}

// A constField is the value of a member that has only one.
type constField struct {
	Encode string // the encoder's method
	Value  goExpr // its argument
	JSON   goExpr // the text to compare with
}

// A presence says how a field tells that its member is absent.
type presence int

const (
	required   presence = iota // it never is
	pointer                    // nil pointer
	nilValue                   // nil: a slice, a map, a union
	emptyJSON                  // no text
	threeState                 // a bq.Optional that is zero
)

// An enumDecl is a string or integer type with a closed set of values.
type enumDecl struct {
	Name      string
	Doc       doc
	Of        builtin
	Constants []constant
	Values    string // the function that returns them
	ValuesDoc doc
	Table     string // the variable that contains them
	Encode    string // the functions of the runtime
	Decode    string
}

type constant struct {
	Name  string
	Value goExpr
}

// A definedDecl is a named type that is neither a struct nor an enum.
type definedDecl struct {
	Name       string
	Doc        doc
	Of         typ
	IsChecked  bool // it has ValidateJSON
	IsStandard bool // it has the methods of encoding/json, which would write null for nil
}

// An aliasDecl is another name for a type whose methods are elsewhere.
type aliasDecl struct {
	Name string
	Doc  doc
	Of   typ
}

// A unionDecl is a sealed interface and the function that decodes any of its branches.
type unionDecl struct {
	Name          string
	Doc           doc
	Marker        string // the method that seals it
	Decode        string // the function
	DecodeDoc     doc
	Discriminator string // empty when the branches are tried one after another
	Rules         goExpr // only then: the variable with what the oneOf says
	Branches      []branch
	Unknown       *unknownDecl // nil when other values of the discriminator are refused
}

type branch struct{ Value, Type string }

// An unknownDecl is the type for branches that the catalog does not list.
type unknownDecl struct {
	Name string
	Doc  doc
}

// A patternDecl is a regular expression.
type patternDecl struct {
	Name string
	Text goExpr
}

// A ruleDecl is a schema that no Go type can express.
type ruleDecl struct {
	Name string
	Text goExpr
}

func (*structDecl) isDecl()  {}
func (*ruleDecl) isDecl()    {}
func (*enumDecl) isDecl()    {}
func (*definedDecl) isDecl() {}
func (*aliasDecl) isDecl()   {}
func (*unionDecl) isDecl()   {}
func (*patternDecl) isDecl() {}
