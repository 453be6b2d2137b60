package golang

import "github.com/babelqueue/bqgen/schema"

// planKey finds the way to a message's key. The types on it have been planned before.
func (p *planner) planKey(u *schema.URN) *key {
	k := &key{}
	for _, property := range u.Key.Path {
		f := p.fields[property]
		if f.Const != nil {
			k.Const = f.Const
			break
		}
		step := keyStep{Field: f.Name, Presence: f.Presence}
		if n, ok := bare(f.Type).(nullable); ok {
			step.MayBeNull = true
			k.Type = bare(n.Elem)
		} else {
			k.Type = bare(f.Type)
		}
		k.Steps = append(k.Steps, step)
	}
	return k
}
