// Package load reads a catalog: [Load] from a file, [LoadFS] from a file system, [Parse] from text.
//
// It runs the stages one after the other, and reads what is not a payload schema itself:
//
//	source  bytes -> nodes                      schema/internal/source
//	load    nodes -> queues, URNs               this package
//	draft   nodes -> drafts of payload schemas  schema/internal/draft
//	link    where $ref leads                    schema/internal/link
//	merge   drafts -> schemas                   schema/internal/merge
//	load    keys, successors and payloads       this package
//	judge   values against schemas              schema/internal/judge
//
// There is one file a key of the catalog: package.go, info.go, lint.go, queues.go with queue_topic.go and its like,
// urns.go with urn_key.go and its like.
package load
