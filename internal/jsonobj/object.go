package jsonobj

import "slices"

// An Object is a JSON object. Its values are nil, bool, string, int, json.Number, json.RawMessage, Object, and []any of
// those.
type Object []Member

// A Member is a name and a value.
type Member struct {
	Name  string
	Value any
}

// Get returns the value of a member, or nil.
func (o Object) Get(name string) any {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Without returns the object without some members.
func (o Object) Without(names ...string) Object {
	var out Object
	for _, m := range o {
		if !slices.Contains(names, m.Name) {
			out = append(out, m)
		}
	}
	return out
}
