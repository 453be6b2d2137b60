package envelope

import (
	"fmt"
	"maps"
	"slices"

	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// coreMeta are the members of meta that every producer writes (ENV-3).
var coreMeta = map[string]bool{"id": true, "queue": true, "lang": true, "schema_version": true, "created_at": true}

// forbiddenMeta are members that meta must not have (ENV-13).
var forbiddenMeta = map[string]bool{"max_retries": true, "attempts": true, "source": true, "ts": true}

// A MetaError refuses a member that a producer wants to add to meta (ENV-13, ENV-15).
type MetaError struct {
	Pointer string // RFC 6901, such as /meta/attempts
	Reason  string
}

func (e *MetaError) Error() string { return e.Pointer + " " + e.Reason }

// extraMeta appends a producer's own members of meta, sorted by name (ENV-15).
func (e *stringAppender) extraMeta(extra map[string]any) {
	if len(extra) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		at := pointer.Join("meta", name)
		switch {
		case coreMeta[name]:
			e.fail(&MetaError{at, "is written by the envelope itself"})
		case forbiddenMeta[name]:
			e.fail(&MetaError{at, "is forbidden by the contract"})
		default:
			e.raw(",")
			e.member("", name)
			e.raw(":")
			var err error
			if e.dst, err = jsonwire.AppendValue(e.dst, extra[name]); err != nil {
				e.fail(fmt.Errorf("%s: %w", at, err))
			}
		}
	}
}

func (e *stringAppender) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}
