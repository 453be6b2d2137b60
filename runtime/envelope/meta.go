package envelope

import (
	"fmt"
	"maps"
	"slices"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// coreMeta are the members of meta that every producer writes (ENV-3).
var coreMeta = map[string]bool{
	contract.MetaID: true, contract.MetaQueue: true, contract.MetaLang: true,
	contract.MetaSchemaVersion: true, contract.MetaCreatedAt: true,
}

// forbiddenMember and forbiddenMeta are members that an envelope and its meta must not have (ENV-13).
const forbiddenMember = "timestamp"

var forbiddenMeta = map[string]bool{"max_retries": true, "attempts": true, "source": true, "ts": true}

// A MetaError rejects a member that a producer wants to add to meta (ENV-13, ENV-15).
type MetaError struct {
	Pointer string // RFC 6901, such as /meta/attempts
	Reason  string
}

func (e *MetaError) Error() string { return e.Pointer + " " + e.Reason }

// extraMeta appends a producer's own members of meta, sorted by name (ENV-15).
func (w *writer) extraMeta(extra map[string]any) {
	if len(extra) == 0 {
		return // without an allocation
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		at := pointer.Join(contract.MemberMeta, name)
		switch {
		case coreMeta[name]:
			w.fail(&MetaError{at, "is written by the envelope itself"})
		case forbiddenMeta[name]:
			w.fail(&MetaError{at, "is forbidden by the contract"})
		default:
			w.raw(",")
			w.quoted(name)
			w.raw(":")
			var err error
			if w.dst, err = jsonwire.AppendValue(w.dst, extra[name]); err != nil {
				w.fail(fmt.Errorf("%s: %w", at, err))
			}
		}
	}
}
