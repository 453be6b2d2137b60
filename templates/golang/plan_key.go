package golang

import "github.com/babelqueue/bqgen/schema"

// planKey finds the path to a message's key. The types on it have been planned before.
func (p *planner) planKey(u *schema.URN) *key {
	k := &key{}
	for _, property := range u.Key.Path {
		f := p.fields[property]
		if f.Const != nil {
			target := property.Schema.Resolve()
			k.Const = keyOf(target, target.Const)
			break
		}
		step := keyStep{Field: f.Name, Presence: f.Presence}
		step.IsPointer = f.Presence == pointer || f.Presence == threeState
		k.Type = underlying(f.Type)
		if n, ok := k.Type.(nullable); ok {
			k.Type = underlying(n.Elem)
			step.IsPointer = !canBeNil(n.Elem)
		}
		k.Steps = append(k.Steps, step)
	}
	return k
}
