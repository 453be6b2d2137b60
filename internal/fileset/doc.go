// Package fileset writes files: all or none, with their permissions kept, and never over somebody else's work.
//
// A [Kind] recognizes bqgen's own files of one sort by the line they begin with. [Kind.Compare] and [Kind.Write] bring
// a folder up to date, and remove files that bqgen generated before and no longer does. [Create] writes files that
// must not exist yet, [Replace] changes a hand-written file in place.
package fileset
