package judge

import (
	"encoding/json"
	"regexp/syntax"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// A Budget is the work that may still be done, in units of about ten nanoseconds. Schemas and values of a stranger can
// make validating them take for ever: a pattern costs its size for every character, a union every branch for every
// value inside the value.
type Budget struct {
	depth    int // of visits
	left     int
	patterns map[string]int                               // pattern -> its size
	members  map[*schema.Schema]map[string]*schema.Schema // object -> its properties
	rules    map[*schema.Rule]*ruleSize
}

// NewBudget returns a budget of so many units.
func NewBudget(units int) *Budget {
	return &Budget{
		left: units, patterns: map[string]int{}, members: map[*schema.Schema]map[string]*schema.Schema{},
		rules: map[*schema.Rule]*ruleSize{},
	}
}

// Limit lowers what is left.
func (b *Budget) Limit(units int) { b.left = min(b.left, units) }

// Spend takes units from the budget. It reports false when the budget is used up, and stays so.
func (b *Budget) Spend(units int) bool {
	if units < 0 || b.left < units {
		b.left = 0
		return false
	}
	b.left -= units
	return true
}

// IsSpent reports whether the budget is used up.
func (b *Budget) IsSpent() bool { return b.left <= 0 }

const (
	visitCost  = 10     // of one value against one schema
	numberCost = 130    // of reading a number
	digitCost  = 3      // of each of its characters
	itemCost   = 60     // of looking for an item among others, besides reading it
	maxVisits  = 50_000 // inside each other
	matchCost  = 2      // of one instruction of a pattern at one character
)

// Validation takes what it costs to validate a decoded value against a schema. It does what a validator does, but only
// counts, and stops when the budget is used up.
func (b *Budget) Validation(s *schema.Schema, value any) bool {
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxVisits {
		b.left = 0 // a type refers to itself in the same place
	}
	if !b.Spend(visitCost) {
		return false
	}
	for i := range s.Rules {
		if !b.rule(&s.Rules[i], value) {
			return false
		}
	}
	switch s.Kind {
	case schema.Ref:
		return b.Validation(s.Target.Schema, value)
	case schema.Union:
		for _, branch := range s.Branches {
			if !b.Validation(branch.Schema, value) {
				return false
			}
		}
		return b.Spend(len(s.Branches)) // the list of an unknown branch
	}
	if s.Const != nil && !b.Spend(visitCost+len(s.Const.JSON)/sizeOfConstant) {
		return false
	}
	switch value := value.(type) {
	case string:
		return b.text(s, value)
	case json.Number:
		return b.number(s, string(value))
	case []any:
		return b.array(s, value)
	case map[string]any:
		return b.object(s, value)
	}
	return true
}

// costOfNumber is the cost of reading a number. The validator reads both numbers whenever it compares two.
func costOfNumber(number string) int {
	cost := numberCost + digitCost*len(number)
	if strings.ContainsAny(number, "eE") {
		cost += numberCost // a power of ten is computed
	}
	return cost
}

// number takes the cost of comparing a number with an enum and a const. It is read once more for its type, and once for
// its limits.
func (b *Budget) number(s *schema.Schema, value string) bool {
	cost := costOfNumber(value)
	for _, constant := range s.Enum {
		if !b.Spend(cost + costOfNumber(constant.Value)) {
			return false
		}
	}
	if s.Const != nil && !b.Spend(cost+costOfNumber(string(s.Const.JSON))) {
		return false
	}
	return b.Spend(2 * cost)
}

func (b *Budget) text(s *schema.Schema, value string) bool {
	if !b.Spend(len(s.Enum) + len(value)/4) {
		return false
	}
	return s.Pattern == "" || b.Spend(matchCost*b.patternSize(s.Pattern)*len(value))
}

func (b *Budget) array(s *schema.Schema, items []any) bool {
	if s.UniqueItems {
		for _, item := range items {
			if !b.Spend(itemCost) || !b.unique(item) {
				return false
			}
		}
	}
	if s.Kind != schema.Array {
		return true
	}
	for _, item := range items {
		if !b.Validation(s.Items, item) {
			return false
		}
	}
	return true
}

// unique takes the cost of reading an item in order to find others that are equal.
func (b *Budget) unique(value any) bool {
	if !b.Spend(visitCost) {
		return false
	}
	switch value := value.(type) {
	case string:
		return b.Spend(len(value) / 4)
	case json.Number:
		return b.Spend(costOfNumber(string(value)))
	case []any:
		for _, item := range value {
			if !b.unique(item) {
				return false
			}
		}
	case map[string]any:
		for _, member := range value {
			if !b.unique(member) {
				return false
			}
		}
	}
	return true
}

func (b *Budget) object(s *schema.Schema, members map[string]any) bool {
	if s.Kind != schema.Object {
		return true
	}
	known := b.membersOf(s)
	if !b.Spend(len(known)) { // those that are required are looked for
		return false
	}
	for name, member := range members {
		schemaOf := known[name]
		if schemaOf == nil {
			schemaOf = s.AdditionalSchema
		}
		if schemaOf != nil && !b.Validation(schemaOf, member) {
			return false
		}
	}
	return true
}

func (b *Budget) membersOf(s *schema.Schema) map[string]*schema.Schema {
	known, met := b.members[s]
	if !met {
		known = make(map[string]*schema.Schema, len(s.Properties))
		for _, p := range s.Properties {
			known[p.Name] = p.Schema
		}
		b.members[s] = known
	}
	return known
}

// patternSize is the number of instructions that a pattern becomes.
func (b *Budget) patternSize(pattern string) int {
	size, met := b.patterns[pattern]
	if !met {
		size = len(pattern)
		if tree, err := syntax.Parse(pattern, syntax.Perl); err == nil {
			if program, err := syntax.Compile(tree.Simplify()); err == nil {
				size = len(program.Inst)
			}
		}
		b.patterns[pattern] = size
	}
	return size
}
