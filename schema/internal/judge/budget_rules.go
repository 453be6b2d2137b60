package judge

import (
	"encoding/json"

	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/schema"
)

const ruleCost = 25 // of one part of a rule at one value: what does not match is told in an error

// A ruleSize is what matters of a rule to its cost.
type ruleSize struct {
	values    int            // in its JSON Schema
	objects   int            // of the values: each schema in it is one, and may read a number
	constants int            // of its enums and consts, long ones as several
	numbers   int            // of the constants: a number is compared with each
	reading   int            // what reading these numbers costs
	patterns  int            // instructions of all patterns
	types     []*schema.Type // that it refers to
}

// rule takes the most that validating a value against a rule can cost: all of the rule at all of the value.
func (b *Budget) rule(r *schema.Rule, value any) bool {
	size, met := b.rules[r]
	if !met {
		size = &ruleSize{}
		b.measure(size, r.Schema)
		b.rules[r] = size
	}
	return b.everywhere(size, value)
}

func (b *Budget) everywhere(size *ruleSize, value any) bool {
	if !b.Spend(visitCost + ruleCost*size.values + size.constants) {
		return false
	}
	for _, t := range size.types {
		if !b.Validation(t.Schema, value) {
			return false
		}
	}
	switch value := value.(type) {
	case string:
		return b.Spend(matchCost * size.patterns * len(value))
	case json.Number:
		return b.Spend((size.objects+size.numbers)*costOfNumber(string(value)) + size.reading)
	case []any:
		for _, item := range value {
			if !b.everywhere(size, item) {
				return false
			}
		}
	case map[string]any:
		for name, member := range value {
			if !b.Spend(matchCost*size.patterns*len(name)) || !b.everywhere(size, member) {
				return false
			}
		}
	}
	return true
}

func (b *Budget) measure(size *ruleSize, part any) {
	size.values++
	switch part := part.(type) {
	case *schema.Type:
		size.types = append(size.types, part)
	case json.RawMessage:
		c := countConstants(part)
		size.constants += c.values + len(part)/sizeOfConstant
		size.numbers += c.numbers
		size.reading += c.reading
	case []any:
		for _, item := range part {
			b.measure(size, item)
		}
	case jsonobj.Object:
		size.objects++
		for _, m := range part {
			if m.Name == "pattern" {
				size.patterns += b.patternSize(textOf(m.Value))
			}
			if m.Name == "patternProperties" {
				if members, ok := m.Value.(jsonobj.Object); ok {
					for _, p := range members {
						size.patterns += b.patternSize(p.Name)
					}
				}
			}
			b.measure(size, m.Value)
		}
	}
}

const sizeOfConstant = 100 // bytes of a constant that cost as much as a short one

// constants are the values of an enum or a const.
type constants struct {
	values  int // those inside others included
	numbers int
	reading int // what reading all numbers costs
}

// countConstants counts values in JSON.
func countConstants(raw json.RawMessage) constants {
	c := constants{values: 1}
	for i := 0; i < len(raw); i++ {
		switch b := raw[i]; {
		case b == '"':
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		case b == ',' || b == '[' || b == '{':
			c.values++
		case '0' <= b && b <= '9':
			start := i
			for i+1 < len(raw) && raw[i+1] != ',' && raw[i+1] != ']' && raw[i+1] != '}' {
				i++
			}
			c.numbers++
			c.reading += costOfNumber(string(raw[start : i+1]))
		}
	}
	return c
}

// textOf returns a string of a rule.
func textOf(value any) string {
	text := ""
	if raw, ok := value.(json.RawMessage); ok {
		_ = json.Unmarshal(raw, &text) // what is not text was reported
	}
	return text
}
