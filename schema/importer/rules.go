package importer

// A Rule explains the findings of an import that carry its ID.
type Rule struct{ ID, Purpose string }

// Rules are the rules of imports, besides those about text that cannot be read.
var Rules = []Rule{
	{ruleLost, "everything that limits which values are valid is carried over; with --strict, what is not is an error"},
	{ruleFault, "the source means what it says: keywords are spelt right, limits make sense, examples are valid"},
	{ruleRef, "every $ref leads to a schema below the root"},
	{ruleRoot, "the root is small enough to be searched"},
	{ruleEmpty, "there is a message to import"},
}

const (
	ruleLost  = "not-carried-over"
	ruleFault = "source-fault"
	ruleRef   = "unresolved-ref"
	ruleRoot  = "root-too-large"
	ruleEmpty = "no-message"
)
