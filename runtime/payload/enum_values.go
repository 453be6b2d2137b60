package payload

import "slices"

// EnumValues are the values of a generated enum, in the order of the catalog.
type EnumValues[E comparable] struct {
	list  []E
	index map[E]struct{} // of a list that is too long to be searched
}

// longestSearched is the length up to which searching a list is faster than looking up a map.
const longestSearched = 12

// NewEnumValues returns the values of an enum.
func NewEnumValues[E comparable](values ...E) *EnumValues[E] {
	v := &EnumValues[E]{list: values}
	if len(values) > longestSearched {
		v.index = make(map[E]struct{}, len(values))
		for _, value := range values {
			v.index[value] = struct{}{}
		}
	}
	return v
}

// All returns a copy of the values.
func (v *EnumValues[E]) All() []E { return slices.Clone(v.list) }

// Has reports whether value is one of the values.
func (v *EnumValues[E]) Has(value E) bool {
	if v.index != nil {
		_, ok := v.index[value]
		return ok
	}
	for i := range v.list { // faster than slices.Contains, which is not inlined
		if v.list[i] == value {
			return true
		}
	}
	return false
}
