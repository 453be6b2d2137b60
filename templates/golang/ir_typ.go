package golang

// A typ is a Go type where it is used.
type typ interface{ isTyp() }

// A builtin has no name in the generated package.
type builtin int

const (
	stringType builtin = iota
	int64Type
	int32Type
	uint64Type
	float64Type
	float32Type
	boolType
	timeType
	uuidType
	bytesType
	decimalType
	ipv4Type
	ipv6Type
	jsonType
)

// A named type is declared in the generated package and encodes and decodes itself.
type named struct {
	Name      string
	Of        kind
	IsChecked bool // it has ValidateJSON: its schema asks for more than its Go type
}

// A kind is what a named type is made of, as far as that matters where it is used.
type kind int

const (
	structKind kind = iota
	textKind        // a string or an enum of strings
	int64Kind       // also an enum
	int32Kind
	uint64Kind
	float64Kind
	float32Kind
	boolKind
	sliceKind
	mapKind
)

// A union is a generated interface.
type union struct {
	Name      string
	Decode    string // the function
	Rules     goExpr // the variable with what the oneOf says, if it has no discriminator; else empty
	IsChecked bool
}

// An external type is the user's.
type external struct{ Import, Name string }

// An alias is a type under another name.
type alias struct {
	Name string
	Of   typ
}

// A slice is an array.
type slice struct {
	Elem     typ
	IsUnique bool
}

// A mapping is an object with any names.
type mapping struct{ Elem typ }

// A nullable may be null: a pointer, or a type that can be nil.
type nullable struct{ Elem typ }

// A checked type has values that its schema forbids.
type checked struct {
	Of     typ
	Checks []check
}

func (builtin) isTyp()  {}
func (named) isTyp()    {}
func (union) isTyp()    {}
func (external) isTyp() {}
func (*alias) isTyp()   {}
func (slice) isTyp()    {}
func (mapping) isTyp()  {}
func (nullable) isTyp() {}
func (checked) isTyp()  {}

// underlying is t without aliases and checks.
func underlying(t typ) typ {
	for {
		switch u := t.(type) {
		case *alias:
			t = u.Of
		case checked:
			t = u.Of
		default:
			return t
		}
	}
}

// checksOf are the checks of values of t, not of what they contain.
func checksOf(t typ) []check {
	var all []check
	for {
		switch u := t.(type) {
		case *alias:
			t = u.Of
		case checked:
			all = append(all, u.Checks...)
			t = u.Of
		default:
			return all
		}
	}
}

// isChecked reports whether there is something to check about values of t or what they contain.
func isChecked(t typ) bool {
	if len(checksOf(t)) > 0 {
		return true
	}
	switch t := underlying(t).(type) {
	case named:
		return t.IsChecked
	case union:
		return t.IsChecked
	case slice:
		return isChecked(t.Elem)
	case mapping:
		return isChecked(t.Elem)
	case nullable:
		return isChecked(t.Elem)
	}
	return false
}

// rulesOf are the variables with the rules of values of t.
func rulesOf(t typ) []goExpr {
	var all []goExpr
	for _, c := range checksOf(t) {
		if c.On == onJSON {
			all = append(all, c.Arg.(goExpr))
		}
	}
	return all
}

// isNamed reports whether t encodes and decodes itself.
func isNamed(t typ) bool {
	_, ok := underlying(t).(named)
	return ok
}

// canBeNil reports whether a Go value of type t can be nil.
func canBeNil(t typ) bool {
	switch t := underlying(t).(type) {
	case slice, mapping, union:
		return true
	case named:
		return t.Of == sliceKind || t.Of == mapKind
	case builtin:
		return t == bytesType
	}
	return false
}

// A check is a function of the runtime that gets a value and a limit from the schema.
type check struct {
	Func string
	Arg  any // an int, a goExpr or a runtimeName; nil for none
	On   subject
}

// A subject is the aspect of a value that a check looks at.
type subject int

const (
	onValue   subject = iota
	onLength          // of a slice or map
	onText            // of its JSON, a string
	onEncoder         // a function that encodes it
	onJSON            // likewise, and the decoder calls a method of this name
)

// A runtimeName is a constant of the runtime.
type runtimeName string
