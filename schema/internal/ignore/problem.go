package ignore

// The rules about ignore comments themselves.
const (
	RuleForm     = "ignore-form"
	RuleReason   = "ignore-reason"
	RuleExpired  = "ignore-expired"
	RuleUnneeded = "unneeded-ignore"
)

// A Problem is what is wrong with a comment.
type Problem int

// The problems.
const (
	Malformed Problem = iota // its options are wrong
	Nameless                 // it has to name what is gone
	Unneeded                 // there is no such finding on its line
	Expired                  // its last day is over
	NoReason                 // it gives no reason
)

// Rule returns the rule that a comment with the problem breaks.
func (p Problem) Rule() string {
	switch p {
	case Unneeded:
		return RuleUnneeded
	case Expired:
		return RuleExpired
	case NoReason:
		return RuleReason
	}
	return RuleForm
}

// Message says what is wrong with the comment.
func (p Problem) Message(c Comment) string {
	switch p {
	case Malformed:
		return "in the comment that ignores " + c.Rule + ", " + c.Fault
	case Nameless:
		return "the comment that ignores " + c.Rule + " does not say what was removed"
	case Unneeded:
		return "there is no finding of " + c.Rule + " here to ignore"
	case Expired:
		return "the comment that ignores " + c.Rule + " expired on " + c.Until
	}
	return c.Rule + " is ignored without a reason"
}
