package payload

import "slices"

// faults are the members of an object that have violations. If such a member comes again, its earlier violations no
// longer count (ACC-11). A hostile text can have any number of them, in any order.
type faults struct {
	all  map[string]*fault
	kept []*fault // those with violations that the trail keeps, which are few
}

// A fault is a member with violations.
type fault struct {
	count    int // of its violations
	from, to int // its part of the violations that the trail keeps
}

func (fs *faults) add(name string, f fault) {
	if fs.all == nil {
		fs.all = map[string]*fault{}
	}
	fs.all[name] = &f
	if f.to > f.from {
		fs.kept = append(fs.kept, &f)
	}
}

// take removes the fault of a member and adjusts the others to the violations that remain.
func (fs *faults) take(name []byte) (found fault, ok bool) {
	f := fs.all[string(name)]
	if f == nil {
		return fault{}, false
	}
	delete(fs.all, string(name))
	if i := slices.Index(fs.kept, f); i >= 0 {
		fs.kept = slices.Delete(fs.kept, i, i+1)
		for _, later := range fs.kept[i:] {
			later.from -= f.to - f.from
			later.to -= f.to - f.from
		}
	}
	return *f, true
}
