package payload

import (
	"sort"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// A lookahead finds the ends of values that have not been read. Unions inside unions scan the same text once for each
// union around it. So that a deep payload takes no more time than its size deserves, all objects and arrays of the text
// are indexed at once after too much has been scanned.
type lookahead struct {
	scanned      int // bytes
	starts, ends []int
}

func (l *lookahead) reset() {
	l.scanned = 0
	l.starts, l.ends = nil, nil
}

// scan returns the end of the value at src[i].
func (l *lookahead) scan(src []byte, i int) (end int, err error) {
	if i < len(src) && (src[i] == '{' || src[i] == '[') && l.scanned > 4*len(src) {
		if l.starts == nil {
			l.index(src)
		}
		if n := sort.SearchInts(l.starts, i); n < len(l.starts) && l.starts[n] == i && l.ends[n] > 0 {
			return l.ends[n], nil
		}
	}
	end, err = jsonwire.ScanValue(src, i, maxPayloadDepth+1)
	l.scanned += end - i
	return end, err
}

// index finds all objects and arrays. If the text is not JSON, the index ends where that shows.
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
