package payload

import "slices"

// faults are the members of an object that had violations, so that these can be taken back when the member comes again.
// A hostile object can have any number of them, in any order.
type faults struct {
	all   map[string]*fault
	shown []*fault // those with violations that are kept; the trail keeps few
}

type fault struct {
	count    int
	from, to int // the violations that are kept
}

func (fs *faults) add(name string, f fault) {
	if fs.all == nil {
		fs.all = map[string]*fault{}
	}
	fs.all[name] = &f
	if f.to > f.from {
		fs.shown = append(fs.shown, &f)
	}
}

// take removes the fault of a member, and moves the others up in what is kept.
func (fs *faults) take(name []byte) (found fault, ok bool) {
	f := fs.all[string(name)]
	if f == nil {
		return fault{}, false
	}
	delete(fs.all, string(name))
	if i := slices.Index(fs.shown, f); i >= 0 {
		fs.shown = slices.Delete(fs.shown, i, i+1)
		for _, later := range fs.shown[i:] {
			later.from -= f.to - f.from
			later.to -= f.to - f.from
		}
	}
	return *f, true
}
