package golang

import "github.com/babelqueue/bqgen/schema"

// planKey finds the way to a message's key. The types on it have been planned before.
func (p *planner) planKey(u *schema.URN) *key {
	k := &key{}
	for _, property := range u.Key.Path {
		f := p.fields[property]
		k.Steps = append(k.Steps, keyStep{Field: f.Name, Presence: f.Presence})
		k.Type = unalias(f.Type)
	}
	return k
}
