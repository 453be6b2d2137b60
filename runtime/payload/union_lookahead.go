package payload

import (
	"sort"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// A lookahead finds the ends of values that have not been read. Unions inside unions look at the same text once for
// each of them; so that a deep payload takes no more time than its size asks for, all objects and arrays of a
// text are found at once when too much of it has been looked at.
type lookahead struct {
	looked       int // bytes
	starts, ends []int
}

func (l *lookahead) reset() {
	l.looked = 0
	l.starts, l.ends = nil, nil
}

// scan returns the end of the value at src[i].
func (l *lookahead) scan(src []byte, i int) (end int, err error) {
	if i < len(src) && (src[i] == '{' || src[i] == '[') && l.looked > 4*len(src) {
		if l.starts == nil {
			l.index(src)
		}
		if n := sort.SearchInts(l.starts, i); n < len(l.starts) && l.starts[n] == i && l.ends[n] > 0 {
			return l.ends[n], nil
		}
	}
	end, err = jsonwire.ScanValue(src, i, maxPayloadDepth+1)
	l.looked += end - i
	return end, err
}

// index finds all objects and arrays. What it finds in a text that is not JSON leads only to where that shows.
func (l *lookahead) index(src []byte) {
	var open []int // indexes of starts
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '"':
			end, _, err := jsonwire.ScanString(src, i)
			if err != nil {
				return
			}
			i = end - 1
		case '{', '[':
			open = append(open, len(l.starts))
			l.starts, l.ends = append(l.starts, i), append(l.ends, 0)
		case '}', ']':
			if len(open) == 0 {
				return
			}
			l.ends[open[len(open)-1]] = i + 1
			open = open[:len(open)-1]
		}
	}
}
