// Package load reads a catalog: [Load] from a file, [LoadFS] from a file system, [Parse] from text.
//
// It runs the stages in order, and itself reads everything that is not a payload schema:
//
//	source  bytes -> nodes                      schema/internal/source
//	load    nodes -> queues, URNs               this package
//	draft   nodes -> drafts of payload schemas  schema/internal/draft
//	link    drafts -> targets of their $ref        schema/internal/link
//	merge   drafts -> schemas                   schema/internal/merge
//	load    keys, successors and payloads       this package
//	judge   values against schemas              schema/internal/judge
//
// Each key of the catalog has its own file: package.go, info.go, lint.go; queues.go, queue_topic.go and so on;
// urns.go, urn_key.go and so on.
package load
