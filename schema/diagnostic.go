package schema

// A Diagnostic is one finding about a catalog: where, which rule, what is wrong and what to do.
type Diagnostic struct {
	Pos     Pos
	Rule    string // stable identifier, such as "unknown-key"
	Message string // lower case, no trailing stop
	Hint    string // what to do about it; may be empty
}
