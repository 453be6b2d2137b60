package trust

// A Doubt is a set of reasons why a thing is not what its author meant. The zero Doubt is none.
type Doubt uint8

// The reasons.
const (
	Inside  Doubt = 1 << iota // something further inside was reported
	Faulty                    // one of its own keywords was reported
	Partial                   // not all of it could be read, or there may be more than is known
	Nowhere                   // it refers only to itself, in the end
)

// MayContradict reports whether keywords that contradict each other are the author's own fault, and not a consequence
// of a finding about one of them.
func (d Doubt) MayContradict() bool { return d&(Faulty|Nowhere) == 0 }

// MayMiss reports whether a name or a type that is not there is really missing, and not among what could not be read.
func (d Doubt) MayMiss() bool { return d&(Partial|Nowhere) == 0 }

// MayFollow reports whether its references lead to a schema.
func (d Doubt) MayFollow() bool { return d&Nowhere == 0 }

// MayRely reports whether it is what its author meant: values can be validated against it, and others can build on it.
func (d Doubt) MayRely() bool { return d == 0 }
